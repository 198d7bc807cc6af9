// Space files: TOML that becomes the JSON of spaces, so that there is one reader of them.

#include "cli/space_file.h"

#include <algorithm>
#include <string_view>

#include "base/disk.h"
#include "base/nearest.h"
#include "base/shortened.h"
#include "base/toml.h"
#include "studies/json/space_json.h"

namespace keyhole::cli {
namespace {

using studies::Json;

/// Reads one file; knows its name, for the messages.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] Values read_setting(const std::string& text) const {
    const toml::table table = table_of(text);
    const toml::table* const start = table["start"].as_table();
    const Values values = values_of(start != nullptr ? *start : table);
    if (values.empty()) fail(0, "it has no values: one line each, threads = 8");
    return values;
  }

  [[nodiscard]] SpaceFile read(const std::string& text) const {
    const toml::table table = table_of(text);
    refuse_unknown(table);
    const toml::table* parameters = table["space"].as_table();
    if (parameters == nullptr) {
      fail(0, R"(the table [space] is missing: one line a parameter, )"
              R"(batch = {type = "integer", from = 1, to = 256})");
    }
    Json json = {{"parameters", Json::array()}, {"constraints", Json::array()}};
    for (const Entry& entry : in_order(*parameters)) {
      json["parameters"].push_back(described(entry, "parameter"));
    }
    const std::vector<Entry> contexts =
        list_of(table, "context", R"(one line a context, hour = {clock = "day"})");
    for (const Entry& entry : contexts) json["contexts"].push_back(described(entry, "context"));
    const std::vector<Entry> limits =
        list_of(table, "limits", R"(one line a metric, p99 = {most = 200, unit = "ms"})");
    for (const Entry& entry : limits) {
      json["limits"].push_back(described(entry, "limit", R"({most = 200, unit = "ms"})"));
    }
    if (const toml::node* constraints = table.get("constraints")) {
      const toml::array* list = constraints->as_array();
      if (list == nullptr || !(list->empty() || list->is_homogeneous<std::string>())) {
        fail(line_of(*constraints), R"('constraints' must be a list of texts: ["a + b <= 1"])");
      }
      json["constraints"] = as_json(*constraints);
    }
    Space space = space_of(json, *parameters, contexts, limits, table.get("constraints"));
    Values start = start_of(table, space);
    return {std::move(space), std::move(start)};
  }

 private:
  struct Entry {
    std::string key;
    const toml::node* value;
    toml::source_position place;
  };

  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    throw InputError(name_ + (line > 0 ? ":" + std::to_string(line) : "") + ": " + message);
  }

  [[nodiscard]] toml::table table_of(const std::string& text) const {
    try {
      return base::toml_table(text);
    } catch (const base::TomlFault& fault) {
      fail(fault.line, fault.what);
    }
  }

  static std::uint32_t line_of(const toml::node& node) { return node.source().begin.line; }

  /// The entries as they stand in the file: toml++ has them by name.
  static std::vector<Entry> in_order(const toml::table& table) {
    std::vector<Entry> entries;
    for (const auto& [key, node] : table) {
      entries.push_back({std::string(key.str()), &node, key.source().begin});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.place.line != b.place.line ? a.place.line < b.place.line
                                          : a.place.column < b.place.column;
    });
    return entries;
  }

  /// The entries of a table of the file; none if it has no such table.
  [[nodiscard]] std::vector<Entry> list_of(const toml::table& file, const char* name,
                                           const std::string& example) const {
    const toml::node* const node = file.get(name);
    if (node == nullptr) return {};
    if (!node->is_table()) {
      fail(line_of(*node), "[" + std::string(name) + "] must be a table: " + example);
    }
    return in_order(*node->as_table());
  }

  void refuse_unknown(const toml::table& table) const {
    static const std::vector<std::string> keys = {"space", "constraints", "start", "context",
                                                  "limits"};
    for (const Entry& entry : in_order(table)) {
      if (std::find(keys.begin(), keys.end(), entry.key) != keys.end()) continue;
      const std::string meant = base::suggestion(entry.key, keys);
      fail(entry.place.line,
           "unknown key '" + base::shortened(entry.key) + "'" +
               (meant.empty() ? ": a space file has constraints = [...], [space], [start], "
                                "[context] and [limits]"
                              : meant));
    }
  }

  [[nodiscard]] Json as_json(const toml::node& node) const {
    if (const auto whole = node.value_exact<std::int64_t>()) return *whole;
    if (const auto yes = node.value_exact<bool>()) return *yes;
    if (const auto number = node.value_exact<double>()) return *number;
    if (const auto text = node.value_exact<std::string>()) return *text;
    Json json;
    if (const toml::array* array = node.as_array()) {
      json = Json::array();
      for (const toml::node& element : *array) json.push_back(as_json(element));
    } else if (const toml::table* table = node.as_table()) {
      json = Json::object();
      for (const Entry& entry : in_order(*table)) json[entry.key] = as_json(*entry.value);
    } else {
      fail(line_of(node),
           "only numbers, texts, true and false, lists and tables have a meaning here");
    }
    return json;
  }

  /// A parameter, a context or a limit.
  [[nodiscard]] Json described(
      const Entry& entry, const std::string& what,
      const std::string& example = R"({type = "number", from = 0, to = 1})") const {
    const toml::table* table = entry.value->as_table();
    if (table == nullptr) {
      fail(entry.place.line,
           "'" + entry.key + "' must be a " + what + ", such as " + example +
               (entry.key == "constraints" ? "; constraints stand above [space]" : ""));
    }
    if (table->contains("name")) {
      fail(entry.place.line,
           "the " + what + " '" + entry.key + "': its name is its key; leave 'name' out");
    }
    Json json = {{"name", entry.key}};
    json.update(as_json(*table));
    return json;
  }

  /// The space, or the message of what is wrong with the first part that is wrong by itself.
  [[nodiscard]] Space space_of(const Json& json, const toml::table& parameters,
                               const std::vector<Entry>& contexts, const std::vector<Entry>& limits,
                               const toml::node* constraints) const {
    try {
      return studies::read_space(json);
    } catch (const InvalidArgument& whole) {
      const std::vector<Entry> entries = in_order(parameters);
      for (std::size_t i = 0; i < entries.size(); ++i) {
        // A space needs one that is not fixed.
        const Json other = {{"name", entries[i].key + "_"}, {"levels", {0, 1}}};
        const Json alone = {{"parameters", {json["parameters"][i], other}},
                            {"constraints", Json::array()}};
        blame(entries[i].place.line, [&] { (void)studies::read_space(alone); });
      }
      const auto blame_each = [&](const std::vector<Entry>& all, const char* key) {
        for (std::size_t i = 0; i < all.size(); ++i) {
          const Json alone = {{"parameters", json["parameters"]}, {key, {json[key][i]}}};
          blame(all[i].place.line, [&] { (void)studies::read_space(alone); });
        }
      };
      blame_each(contexts, "contexts");
      blame_each(limits, "limits");
      const toml::array* list = constraints == nullptr ? nullptr : constraints->as_array();
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const Json alone = {{"parameters", json["parameters"]},
                            {"constraints", {json["constraints"][i]}}};
        blame(line_of((*list)[i]), [&] { (void)studies::read_space(alone); });
      }
      fail(list == nullptr ? 0 : line_of(*constraints), whole.what());
    }
  }

  [[nodiscard]] Values values_of(const toml::table& table) const {
    Values values;
    for (const Entry& entry : in_order(table)) {
      try {
        values.push_back(studies::read_values(Json{{entry.key, as_json(*entry.value)}})[0]);
      } catch (const Json::exception&) {
        fail(entry.place.line,
             "the start of '" + entry.key +
                 "' must be a number, a text, true or false, or a list of numbers");
      }
    }
    return values;
  }

  [[nodiscard]] Values start_of(const toml::table& table, const Space& space) const {
    const toml::node* node = table.get("start");
    if (node == nullptr) return {};
    if (!node->is_table()) fail(line_of(*node), "[start] must be a table of values by name");
    const std::vector<Entry> entries = in_order(*node->as_table());
    const Values start = values_of(*node->as_table());
    try {
      (void)space.point(start);
    } catch (const InvalidArgument& whole) {
      const Space unconstrained(space.parameters());  // what is wrong by itself has a line
      for (std::size_t i = 0; i < start.size(); ++i) {
        blame(entries[i].place.line, [&] { (void)unconstrained.point({start[i]}); });
      }
      fail(line_of(*node), std::string("[start]: ") + whole.what());
    }
    return start;
  }

  /// Runs a check; what it throws gets the line.
  template <class Check>
  void blame(std::uint32_t line, const Check& check) const {
    try {
      check();
    } catch (const InvalidArgument& error) {
      fail(line, error.what());
    }
  }

  std::string name_;
};

}  // namespace

namespace {

std::string text_of(const std::string& path) {
  auto text = base::read_file(path);
  if (!text) throw InputError(path + ": there is no such file");
  return std::move(*text);
}

}  // namespace

SpaceFile read_space_file(const std::string& path) { return parse_space_file(text_of(path), path); }

Values read_setting_file(const std::string& path) {
  return Reader(path).read_setting(text_of(path));
}

SpaceFile parse_space_file(const std::string& text, const std::string& name) {
  return Reader(name).read(text);
}

}  // namespace keyhole::cli
