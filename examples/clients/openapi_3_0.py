#!/usr/bin/env python3
"""usage: openapi_3_0.py <openapi.yaml> <openapi-3.0.yaml>

Writes the description of a service for generators that read OpenAPI 3.0 and no 3.1. Besides:

- Schemas without a name get one, so that types are called Play and StepBody, not InlineObject2.
- Numbers are said to have 64 bits: generators take 32 otherwise, which rounds losses and points.
- Defaults are left out: generated clients send them, and a count next to an error is refused.
"""

import sys

import yaml

FORMATS = {"integer": "int64", "number": "double"}


def plainer(schema):
    """A schema, or what holds some, in the words of 3.0."""
    if isinstance(schema, list):
        return [plainer(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: plainer(part) for key, part in schema.items() if key != "default"}
    if isinstance(schema.get("examples"), list):
        schema["example"] = schema.pop("examples")[0]
    if isinstance(schema.get("type"), list):
        kinds = schema.pop("type")  # 3.0 has one type or any
        if len(kinds) == 2 and kinds[1] == "null":
            schema.update(type=kinds[0], nullable=True)
        else:
            schema.pop("items", None)
    if schema.get("type") in ("integer", "number"):
        schema["format"] = FORMATS[schema["type"]]
    elif schema.get("type") == "object" and "properties" not in schema:
        schema.setdefault("additionalProperties", {})
    return schema


def name_schemas(operation):
    """Gives what a call sends, and what answers it, the name of the call."""
    name = operation["operationId"][0].upper() + operation["operationId"][1:]
    sent = [("Body", operation.get("requestBody", {}))]
    for word, part in sent + [("Answer", answer) for answer in operation["responses"].values()]:
        for content in part.get("content", {}).values():
            if content.get("schema", {}).get("type") == "object":
                content["schema"]["title"] = name + word


def main():
    """Reads the one and writes the other."""
    with open(sys.argv[1], encoding="utf-8") as file:
        # Go would make a Study by a function NewStudy, so no type can have that name.
        api = plainer(yaml.safe_load(file.read().replace("NewStudy", "CreateStudyBody")))
    api["openapi"] = "3.0.3"
    del api["info"]["summary"], api["info"]["license"]["identifier"]
    for path in api["paths"].values():
        for operation in path.values():
            if "operationId" in operation:
                # In Go 4XX would be compared as a number. A problem comes with 5XX, too.
                operation["responses"]["default"] = operation["responses"].pop("4XX")
                name_schemas(operation)
    schemas = api["components"]["schemas"]
    for name, schema in list(schemas.items()):
        if "properties" in schema.get("items", {}):  # Plays are of Play
            schemas[name[:-1]] = schema["items"]
            schema["items"] = {"$ref": "#/components/schemas/" + name[:-1]}
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        yaml.safe_dump(api, file, sort_keys=False)


if __name__ == "__main__":
    main()
