// The one table of what the service answers.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "service/request.h"
#include "service/tokens.h"

namespace keyhole::service {

class Service;

/// A request that has passed its checks.
struct Call {
  Service& service;
  const Request& request;
  /// Whose studies it is about; empty if the service has no tokens.
  std::string tenant = {};
  /// What stands for {name} and {play} in the path.
  std::string name = {};
  std::string play = {};
  /// What the client may do.
  Grant grant = {};
};

/// Who answers, so that what takes long does not hold up the rest.
enum class Pace : std::uint8_t {
  /// The thread of the sockets: nothing that waits for a disk or a study.
  at_once,
  /// A thread of steps.
  step,
  /// A thread of what may take seconds.
  slow,
  /// A thread that reads a whole log, for clients who may be slow.
  reading,
};

struct Route {
  std::string_view method;
  /// With {name} and {play} for what differs.
  std::string_view path;
  /// What a token must allow.
  Scope scope = Scope::none;
  Pace pace = Pace::at_once;
  Response (*answer)(const Call& call) = nullptr;
};

/// All routes. The last stands for every request that none of the others takes.
[[nodiscard]] std::span<const Route> routes();

/// A route and what stands for {name} and {play}.
struct Match {
  std::size_t route = 0;
  std::string_view name = {};
  std::string_view play = {};
};

/// The route of a request; the last one if there is none.
[[nodiscard]] Match match(std::string_view method, std::string_view path);

/// The methods of a path: "GET, DELETE"; empty if there is no such path.
[[nodiscard]] std::string methods_of(std::string_view path);

}  // namespace keyhole::service
