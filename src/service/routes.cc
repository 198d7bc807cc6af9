#include "service/routes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/joined.h"
#include "service/handlers.h"

namespace keyhole::service {
namespace {

constexpr auto table = std::to_array<Route>({
    {"GET", "/v1/studies", Scope::read, Pace::step, list_studies},
    {"POST", "/v1/studies", Scope::admin, Pace::slow, create_study},
    {"GET", "/v1/studies/{name}", Scope::read, Pace::step, show_study},
    {"DELETE", "/v1/studies/{name}", Scope::admin, Pace::slow, delete_study},
    {"POST", "/v1/studies/{name}/asks", Scope::play, Pace::step, ask},
    {"POST", "/v1/studies/{name}/tells", Scope::play, Pace::step, tell},
    {"POST", "/v1/studies/{name}/steps", Scope::play, Pace::step, step},
    {"GET", "/v1/studies/{name}/recommendation", Scope::read, Pace::step, recommend},
    {"PUT", "/v1/studies/{name}/paused", Scope::admin, Pace::slow, pause},
    {"GET", "/v1/studies/{name}/plays/{play}", Scope::read, Pace::step, show_play},
    {"GET", "/v1/studies/{name}/log", Scope::read, Pace::slow, log},
    {"GET", "/v1/studies/{name}/state", Scope::read, Pace::step, state},
    {"GET", "/v1/studies/{name}/report", Scope::read, Pace::slow, report},
    {"GET", "/v1/studies/{name}/curve", Scope::read, Pace::step, curve},
    {"GET", "/v1/studies/{name}/events", Scope::read, Pace::step, events},
    {"GET", "/", Scope::none, Pace::at_once, show_page},
    {"GET", "/page/{name}", Scope::none, Pace::at_once, page_file},
    {"GET", "/healthz", Scope::none, Pace::at_once, healthy},
    {"GET", "/readyz", Scope::none, Pace::at_once, ready},
    {"GET", "/metrics", Scope::read, Pace::at_once, show_metrics},
    {"GET", "/openapi.yaml", Scope::none, Pace::at_once, show_openapi},
    {"", "", Scope::none, Pace::at_once, no_route},
});

/// The text up to the next slash, which is cut off with it.
std::string_view next_segment(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view segment = path.substr(0, slash);
  path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  return segment;
}

/// What stands for {name} and {play}, if the path is one of the pattern.
std::optional<Match> fits(std::string_view pattern, std::string_view path) {
  Match match;
  const auto slashes = [](std::string_view text) {
    return std::count(text.begin(), text.end(), '/');
  };
  if (slashes(pattern) != slashes(path)) return {};
  for (auto left = slashes(path); left >= 0; --left) {
    const std::string_view wanted = next_segment(pattern);
    const std::string_view found = next_segment(path);
    if (wanted == "{name}") {
      match.name = found;
    } else if (wanted == "{play}") {
      match.play = found;
    } else if (wanted != found) {
      return {};
    }
  }
  return match;
}

}  // namespace

std::span<const Route> routes() { return table; }

Match match(std::string_view method, std::string_view path) {
  for (std::size_t k = 0; k + 1 < table.size(); ++k) {
    if (table[k].method != method) continue;
    if (auto found = fits(table[k].path, path)) {
      found->route = k;
      return *found;
    }
  }
  return {.route = table.size() - 1};
}

std::string methods_of(std::string_view path) {
  std::vector<std::string> methods;
  for (std::size_t k = 0; k + 1 < table.size(); ++k) {
    if (fits(table[k].path, path)) methods.emplace_back(table[k].method);
  }
  return base::joined(methods);
}

}  // namespace keyhole::service
