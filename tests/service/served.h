// A service without sockets, and what it answers.

#pragma once

#include <nlohmann/json.hpp>

#include "folder.h"
#include "service/service.h"
#include "service/wire.h"

namespace keyhole::tests {

using Json = nlohmann::ordered_json;
using service::Request;
using service::Response;

/// The whole body of an answer, however it is written.
inline std::string body_of(const Response& response) {
  std::string body = response.body;
  if (response.stream) {
    response.stream([&](const std::string& part) {
      body += part;
      return true;
    });
  }
  return body;
}

/// "404 unknown_study"; of an answer that is no problem the status alone.
inline std::string outcome(const Response& response) {
  std::string text = std::to_string(response.status);
  if (response.type != "application/problem+json") return text;
  const std::string type = Json::parse(response.body).at("type");
  return text + " " + type.substr(std::string("urn:keyhole:").size());
}

/// A service in a folder of its own.
class Served {
 public:
  explicit Served(service::ServiceOptions options = {}, const std::string& tokens = "") {
    options.folder = folder.path("studies");
    options.store.durability = Durability::process;
    if (!tokens.empty()) {
      write_tokens(tokens);
      options.tokens = folder.path("tokens");
    }
    service.emplace(options, Catalogue::standard(), [this] { return now; });
  }

  void write_tokens(const std::string& text) const { write_bytes(folder.path("tokens"), text); }

  Response send(const std::string& method, const std::string& target, const std::string& body = "",
                const std::string& token = "") {
    Request request{.method = method, .body = body, .host = "127.0.0.1:8600"};
    service::set_target(target, request);
    if (!token.empty()) request.authorization = "Bearer " + token;
    return service->answer(request);
  }
  Response get(const std::string& target) { return send("GET", target); }
  Response post(const std::string& target, const Json& body) {
    return send("POST", target, body.dump());
  }
  Json got(const std::string& target) { return Json::parse(body_of(get(target))); }
  Json posted(const std::string& target, const Json& body) {
    return Json::parse(post(target, body).body);
  }
  /// A study on simplex(3) with that name.
  void create(const std::string& name, const Json& more = Json::object()) {
    Json body = {{"name", name}, {"set", "simplex(3)"}};
    body.update(more);
    const Response response = post("/v1/studies", body);
    if (response.status != 201) throw std::runtime_error(response.body);
  }
  std::string state(const std::string& name) { return get("/v1/studies/" + name + "/state").body; }

  Folder folder;
  service::Time now{std::chrono::seconds(1800000000)};
  std::optional<service::Service> service;
};

}  // namespace keyhole::tests
