#include "service/routes.h"

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
    {"PUT", "/v1/studies/{name}/label", Scope::admin, Pace::slow, label_study},
    {"PUT", "/v1/studies/{name}/copy", Scope::admin, Pace::slow, take_copy},
    {"DELETE", "/v1/studies/{name}", Scope::admin, Pace::slow, delete_study},
    {"POST", "/v1/studies/{name}/undelete", Scope::admin, Pace::slow, undelete_study},
    {"GET", "/v1/deleted", Scope::read, Pace::step, list_deleted},
    {"POST", "/v1/studies/{name}/renewal", Scope::admin, Pace::slow, renew_study},
    {"POST", "/v1/studies/{name}/change", Scope::admin, Pace::slow, change_study},
    {"POST", "/v1/studies/{name}/asks", Scope::play, Pace::step, ask},
    {"POST", "/v1/studies/{name}/tells", Scope::play, Pace::step, tell},
    {"POST", "/v1/studies/{name}/steps", Scope::play, Pace::step, step},
    {"POST", "/v1/studies/{name}/past", Scope::play, Pace::slow, learn_past},
    {"GET", "/v1/studies/{name}/recommendation", Scope::read, Pace::step, recommend},
    {"POST", "/v1/studies/{name}/estimates", Scope::read, Pace::reading, estimate},
    {"GET", "/v1/studies/{name}/front", Scope::read, Pace::reading, show_front},
    {"PUT", "/v1/studies/{name}/paused", Scope::admin, Pace::slow, pause},
    {"POST", "/v1/studies/{name}/proof", Scope::admin, Pace::slow, prove},
    {"GET", "/v1/studies/{name}/plays", Scope::read, Pace::reading, list_plays},
    {"GET", "/v1/studies/{name}/plays/{play}", Scope::read, Pace::step, show_play},
    {"GET", "/v1/studies/{name}/log", Scope::read, Pace::reading, log},
    {"GET", "/v1/studies/{name}/state", Scope::read, Pace::step, state},
    {"GET", "/v1/studies/{name}/report", Scope::read, Pace::reading, report},
    {"GET", "/v1/studies/{name}/curve", Scope::read, Pace::step, curve},
    {"GET", "/v1/studies/{name}/events", Scope::read, Pace::step, events},
    {"GET", "/", Scope::none, Pace::at_once, show_page},
    {"GET", "/page/{name}", Scope::none, Pace::at_once, page_file},
    {"GET", "/healthz", Scope::none, Pace::at_once, healthy},
    {"GET", "/readyz", Scope::none, Pace::step, ready},
    {"GET", "/metrics", Scope::read, Pace::at_once, show_metrics},
    {"GET", "/openapi.yaml", Scope::none, Pace::at_once, show_openapi},
    {"", "", Scope::none, Pace::at_once, no_route},
});

/// The text up to that character or the end, which is cut off.
std::string_view cut_before(char end, std::string_view& text) {
  const std::string_view begin = text.substr(0, text.find(end));
  text.remove_prefix(begin.size());
  return begin;
}

/// What stands for {name} and {play}, if the path is one of the pattern.
std::optional<Match> fits(std::string_view pattern, std::string_view path) {
  Match match;
  while (true) {
    const std::string_view literal = cut_before('{', pattern);
    if (!path.starts_with(literal)) return {};
    path.remove_prefix(literal.size());
    if (pattern.empty()) break;
    const std::string_view key = cut_before('}', pattern);
    pattern.remove_prefix(1);
    (key == "{name" ? match.name : match.play) = cut_before('/', path);
  }
  if (!path.empty()) return {};
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
