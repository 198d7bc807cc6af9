#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/csv_text.h"
#include "base/joined.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/padded.h"
#include "keyhole/spec.h"

namespace keyhole::cli {
namespace {

using Entries = std::vector<const SpecEntry*>;

constexpr const char* kind_names[] = {"sets", "learners", "problems"};

const char* kind_name(SpecKind kind) { return kind_names[static_cast<int>(kind)]; }

/// All entries, those of a kind, or the one of a name.
Entries selected(const std::string& what, const Program& program) {
  Entries entries;
  std::vector<std::string> names(std::begin(kind_names), std::end(kind_names));
  for (const SpecEntry& entry : program.catalogue.entries()) {
    names.push_back(entry.name);
    if (what.empty() || what == kind_name(entry.kind()) || what == entry.name) {
      entries.push_back(&entry);
    }
  }
  if (entries.empty()) {
    throw InvalidArgument("there is nothing called '" + what + "'" + base::suggestion(what, names) +
                          "; '" + program.name + " list' shows all names");
  }
  return entries;
}

void print_overview(const Entries& entries, const Program& program) {
  std::size_t width = 0;
  for (const SpecEntry* entry : entries) width = std::max(width, entry->name.size());
  std::string last;
  for (const SpecEntry* entry : entries) {
    const std::string kind = kind_name(entry->kind());
    const std::string heading = entry->family.empty() ? kind : kind + ": " + entry->family;
    if (heading != last) std::cout << (last.empty() ? "" : "\n") << heading << "\n";
    last = heading;
    std::cout << "  " << padded(entry->name, width + 2) << entry->summary << "\n";
  }
  std::cout << "\n'" << program.name << " list NAME' shows the parameters of one.\n";
}

void print_details(const SpecEntry& entry) {
  std::cout << signature(entry) << "\n  " << entry.summary << "\n";
  if (!entry.capabilities.empty()) std::cout << "  " << base::joined(entry.capabilities) << "\n";
  for (const Parameter& parameter : entry.parameters) {
    const std::string range = parameter.range.text();
    std::cout << "\n  " << parameter.name << ": " << parameter.type_text()
              << (range.empty() ? "" : " ") << range;
    std::cout << (parameter.default_value.empty() ? ", required"
                                                  : ", default " + parameter.default_value)
              << "\n    " << parameter.meaning << "\n";
  }
}

void print_json(const Entries& entries) {
  auto all = nlohmann::ordered_json::array();
  for (const SpecEntry* entry : entries) {
    auto parameters = nlohmann::ordered_json::array();
    for (const Parameter& parameter : entry->parameters) {
      nlohmann::ordered_json one = {{"name", parameter.name},
                                    {"type", parameter.type_text()},
                                    {"meaning", parameter.meaning},
                                    {"required", parameter.default_value.empty()}};
      if (!parameter.default_value.empty()) one["default"] = parameter.default_value;
      const std::string range = parameter.range.text();
      if (!range.empty()) one["range"] = range;
      parameters.push_back(one);
    }
    all.push_back({{"kind", kind_name(entry->kind())},
                   {"name", entry->name},
                   {"summary", entry->summary},
                   {"capabilities", entry->capabilities},
                   {"parameters", parameters}});
  }
  std::cout << all.dump(2) << "\n";
}

/// One row a parameter; one with empty fields for entries without any.
void print_csv(const Entries& entries) {
  std::cout << "kind,name,summary,capabilities,parameter,type,default,range,meaning\n";
  for (const SpecEntry* entry : entries) {
    const std::vector<std::string> about = {kind_name(entry->kind()), entry->name, entry->summary,
                                            base::joined(entry->capabilities, "; ")};
    const auto print = [&](const std::vector<std::string>& parameter) {
      std::vector<std::string> fields = about;
      fields.insert(fields.end(), parameter.begin(), parameter.end());
      std::cout << base::csv_line(fields);
    };
    if (entry->parameters.empty()) print({"", "", "", "", ""});
    for (const Parameter& parameter : entry->parameters) {
      print({parameter.name, parameter.type_text(), parameter.default_value, parameter.range.text(),
             parameter.meaning});
    }
  }
}

}  // namespace

int list(const Arguments& arguments, const Program& program) {
  const Entries entries = selected(arguments.word(0), program);
  const std::string format = arguments.get("--format", "table");
  if (format == "json") {
    print_json(entries);
  } else if (format == "csv") {
    print_csv(entries);
  } else if (entries.size() == 1) {
    print_details(*entries.front());
  } else {
    print_overview(entries, program);
  }
  return 0;
}

}  // namespace keyhole::cli
