#include "studies/json/space_json.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/require.h"
#include "base/shortened.h"

namespace keyhole::studies {
namespace {

Json value_json(const Value& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Value read_value(const Json& json) {
  const bool is_beyond = json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX;
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer() && !is_beyond) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return json.get<std::vector<double>>();
}

struct DomainJson {
  Json operator()(const Number& number) const {
    Json json = {{"type", "number"}, {"from", number.from}, {"to", number.to}};
    if (number.scale == Scale::log) json["scale"] = "log";
    if (!number.unit.empty()) json["unit"] = number.unit;
    return json;
  }
  Json operator()(const Integer& integer) const {
    Json json = {{"type", "integer"}, {"from", integer.from}, {"to", integer.to}};
    if (integer.scale == Scale::log) json["scale"] = "log";
    if (integer.step != 1) json["step"] = integer.step;
    if (!integer.unit.empty()) json["unit"] = integer.unit;
    return json;
  }
  Json operator()(const Choice& choice) const {
    Json json = {{"type", "choice"}, {"names", choice.names}};
    if (!choice.values.empty()) json["names"] = list(choice.values);
    return json;
  }
  Json operator()(const Levels& levels) const {
    Json json = {{"type", "levels"}, {"levels", list(levels.levels)}};
    if (!levels.unit.empty()) json["unit"] = levels.unit;
    return json;
  }
  Json operator()(const Fixed& fixed) const {
    return {{"type", "fixed"}, {"fixed", value_json(fixed.value)}};
  }
  Json operator()(const Shares& shares) const {
    Json json = {{"type", "shares"}, {"names", shares.names}, {"total", shares.total}};
    if (!shares.least.empty()) json["least"] = shares.least;
    if (!shares.most.empty()) json["most"] = shares.most;
    return json;
  }
  Json operator()(const Cyclic& cyclic) const {
    Json json = {{"type", "cyclic"}, {"period", cyclic.period}};
    if (!cyclic.unit.empty()) json["unit"] = cyclic.unit;
    return json;
  }
  Json operator()(const Clock& clock) const {
    return {{"type", "clock"}, {"clock", clock.every == Clock::Every::day ? "day" : "week"}};
  }

  static Json list(const std::vector<Value>& values) {
    Json json = Json::array();
    for (const Value& value : values) json.push_back(value_json(value));
    return json;
  }
};

/// A list of these.
template <class Described>
Json list_json(const std::vector<Described>& all) {
  Json list = Json::array();
  for (const Described& one : all) {
    Json json = {{"name", one.name}};
    json.update(std::visit(DomainJson(), one.domain));
    list.push_back(std::move(json));
  }
  return list;
}

Json limits_json(const std::vector<SpaceLimit>& limits) {
  Json list = Json::array();
  for (const auto& [name, limit, unit] : limits) {
    Json json = {{"name", name}};
    if (limit.most) json["most"] = *limit.most;
    if (limit.least) json["least"] = *limit.least;
    if (limit.each != Limit().each) json["each"] = limit.each;
    if (limit.over_all) json["over"] = "all";
    if (!unit.empty()) json["unit"] = unit;
    list.push_back(std::move(json));
  }
  return list;
}

/// Reads one parameter, context or limit; every message begins with its name.
class DomainReader {
 public:
  DomainReader(const Json& json, std::string what)
      : json_(json), what_(std::move(what)), name_(json.at("name")) {}

  [[nodiscard]] SpaceParameter parameter() const {
    const auto type = type_or({"levels", "fixed"});
    if (type == "number") return {name_, number()};
    if (type == "levels") {
      allow({"levels", "unit"});
      return {name_, Levels{values("levels"), value<std::string>("unit", "")}};
    }
    if (type == "fixed") {
      allow({"fixed"});
      return {name_, Fixed{value<Value>("fixed")}};
    }
    if (type == "integer") {
      allow({"from", "to", "scale", "step", "unit"});
      return {name_, Integer{value<std::int64_t>("from"), value<std::int64_t>("to"), scale(),
                             value<std::int64_t>("step", 1), value<std::string>("unit", "")}};
    }
    if (type == "choice") return {name_, choice()};
    require(
        type == "shares",
        "the type must be number, integer, choice, shares, levels or fixed, not '" + type + "'" +
            base::suggestion(type, {"number", "integer", "choice", "shares", "levels", "fixed"}));
    allow({"names", "total", "least", "most"});
    return {name_, Shares{value<std::vector<std::string>>("names"), value<double>("total", 1),
                          numbers("least"), numbers("most")}};
  }

  [[nodiscard]] SpaceLimit limit() const {
    allow({"most", "least", "each", "over", "unit"});
    SpaceLimit read{.name = name_, .limit = {}, .unit = value<std::string>("unit", "")};
    if (json_.contains("most")) read.limit.most = value<double>("most");
    if (json_.contains("least")) read.limit.least = value<double>("least");
    read.limit.each = value<double>("each", Limit().each);
    read.limit.over_all = json_.contains("over");
    require(value<std::string>("over", "all") == "all", R"(over must be "all": all rounds)");
    return read;
  }

  [[nodiscard]] SpaceContext context() const {
    const auto type = type_or({"clock"});
    if (type == "number") return {name_, number()};
    if (type == "choice") return {name_, choice()};
    if (type == "cyclic") {
      allow({"period", "unit"});
      return {name_, Cyclic{value<double>("period"), value<std::string>("unit", "")}};
    }
    require(type == "clock", "the type must be number, cyclic, choice or clock, not '" + type +
                                 "'" +
                                 base::suggestion(type, {"number", "cyclic", "choice", "clock"}));
    allow({"clock"});
    const auto every = value<std::string>("clock");
    require(every == "day" || every == "week",
            R"(the clock must be "day" or "week", not ')" + every + "'");
    return {name_, Clock{every == "day" ? Clock::Every::day : Clock::Every::week}};
  }

 private:
  void require(bool condition, const std::string& message) const {
    base::require(condition, "the " + what_ + " '" + name_ + "': " + message);
  }
  [[nodiscard]] Number number() const {
    allow({"from", "to", "scale", "unit"});
    return {value<double>("from"), value<double>("to"), scale(), value<std::string>("unit", "")};
  }
  [[nodiscard]] Choice choice() const {
    allow({"names"});
    return Choice::of(values("names"));
  }
  /// The type, which may be left out where one of these keys says it.
  [[nodiscard]] std::string type_or(const std::vector<const char*>& keys) const {
    for (const char* const key : keys) {
      if (json_.contains(key)) return value<std::string>("type", key);
    }
    return value<std::string>("type");
  }
  /// Numbers, names, and true and false.
  [[nodiscard]] std::vector<Value> values(const char* key) const {
    std::vector<Value> values;
    for (const Json& each : value<std::vector<Json>>(key)) {
      require(each.is_primitive() && !each.is_null(),
              std::string("'") + key + "' must be a list of numbers, names, or true and false");
      values.push_back(read_value(each));
    }
    return values;
  }
  /// The key for what others call the ends of a range, or other parameters their values.
  static std::string meant(const std::string& key, const std::vector<std::string>& keys) {
    if (key == "min" || key == "low") return "from";
    if (key == "max" || key == "high") return "to";
    if (key != "names" && key != "levels" && key != "values") return key;
    return std::find(keys.begin(), keys.end(), "levels") != keys.end() ? "levels" : "names";
  }
  /// Refuses keys that are none of these.
  void allow(std::vector<std::string> keys) const {
    keys.insert(keys.end(), {"name", "type"});
    for (const auto& [key, ignored] : json_.items()) {
      require(
          std::find(keys.begin(), keys.end(), key) != keys.end(),
          "there is no '" + base::shortened(key) + "'" + base::suggestion(meant(key, keys), keys));
    }
  }
  template <class Type>
  [[nodiscard]] Type value(const char* key) const {
    require(json_.contains(key), std::string("'") + key + "' is missing");
    try {
      if constexpr (std::is_same_v<Type, std::int64_t>) {
        require(json_.at(key).is_number_integer(),
                std::string("'") + key + "' must be a whole number");
      }
      if constexpr (std::is_same_v<Type, Value>) {
        return read_value(json_.at(key));
      } else {
        return json_.at(key).get<Type>();
      }
    } catch (const Json::exception&) {
      require(false,
              std::string("'") + key + "' cannot be " + base::shortened(json_.at(key).dump()));
      throw;
    }
  }
  template <class Type>
  [[nodiscard]] Type value(const char* key, Type otherwise) const {
    return json_.contains(key) ? value<Type>(key) : otherwise;
  }
  [[nodiscard]] Scale scale() const {
    const auto word = value<std::string>("scale", "linear");
    require(word == "linear" || word == "log",
            "the scale must be linear or log, not '" + word + "'");
    return word == "log" ? Scale::log : Scale::linear;
  }
  /// One number, a list, or none.
  [[nodiscard]] std::vector<double> numbers(const char* key) const {
    if (!json_.contains(key)) return {};
    if (json_.at(key).is_number()) return {value<double>(key)};
    return value<std::vector<double>>(key);
  }

  const Json& json_;
  std::string what_;
  std::string name_;
};

}  // namespace

Json space_json(const Space& space) {
  Json json = {{"parameters", list_json(space.parameters())}, {"constraints", space.constraints()}};
  if (!space.contexts().empty()) json["contexts"] = list_json(space.contexts());
  if (!space.limits().empty()) json["limits"] = limits_json(space.limits());
  return json;
}

Space read_space(const Json& json) {
  std::vector<SpaceParameter> parameters;
  for (const Json& parameter : json.at("parameters")) {
    parameters.push_back(DomainReader(parameter, "parameter").parameter());
  }
  std::vector<SpaceContext> contexts;
  if (json.contains("contexts")) {
    for (const Json& context : json.at("contexts")) {
      contexts.push_back(DomainReader(context, "context").context());
    }
  }
  std::vector<SpaceLimit> limits;
  if (json.contains("limits")) {
    for (const Json& limit : json.at("limits")) {
      limits.push_back(DomainReader(limit, "limit").limit());
    }
  }
  return Space(std::move(parameters), json.value("constraints", std::vector<std::string>()),
               std::move(contexts), std::move(limits));
}

Json values_json(const Values& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value_json(value);
  return json;
}

Values read_values(const Json& json) {
  Values values;
  for (const auto& [name, value] : json.items()) values.emplace_back(name, read_value(value));
  return values;
}

}  // namespace keyhole::studies
