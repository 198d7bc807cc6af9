// A service on a socket.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "service/service.h"

namespace keyhole::service {

/// Where a service listens, and how patient it is.
struct HttpOptions {
  /// An address and a port: "127.0.0.1:8600", "[::1]:8600"; port 0 takes a free one.
  std::string listen = "127.0.0.1:8600";
  /// Takes an address that others can reach without TLS.
  bool insecure = false;
  /// The files of the certificate chain and its key, for TLS; both or none.
  std::string certificate = {};
  std::string key = {};
  /// The longest body, and the longest head, in bytes.
  std::uint64_t body = 1U << 20U;
  std::uint32_t head = 16U << 10U;
  std::size_t connections = 20000;
  /// Within this a new connection must send its first request, and a client must take an answer.
  std::chrono::seconds request_time{10};
  /// Within this a connection must send its next request.
  std::chrono::seconds idle_time{60};
  /// How long it waits at its end for what is under way.
  std::chrono::seconds drain_time{10};
  /// How many steps run at once: by default two for each processor, and at least four, so that one
  /// that takes long leaves others their turns.
  std::size_t step_threads = 0;
  /// Who reads a log takes so many bytes a second on average, but for a while of `request_time`.
  std::size_t reading_rate = 64U << 10U;
  /// Within this a thread of steps must say whether the service is ready.
  std::chrono::milliseconds probe_time{3000};
  /// Threads that wait for the disk, that make and delete studies, and that read whole logs for
  /// reports and the like.
  std::size_t sync_threads = 8;
  std::size_t slow_threads = 4;
  std::size_t reading_threads = 4;
  /// Whether the steps of a study wait for each other, as in a folder, where one at a time may
  /// write its log. A database makes one call of many.
  bool steps_take_turns = true;
  /// Takes a line for each request, without its end; none to write no log. From one thread.
  std::function<void(const std::string& line)> log = {};
  /// Takes a line for each answer to who would change something, likewise.
  std::function<void(const std::string& line)> audit = {};
  /// Takes a word to the operator. From one thread.
  std::function<void(const std::string& line)> say = {};
  /// Told once with the address that it listens at, when it does.
  std::function<void(const std::string& address)> started = {};
  /// At each SIGHUP, when the tokens and the certificate have been read again. What it throws of
  /// the log is said.
  std::function<void()> hung_up = {};
};

/// Serves until SIGTERM or SIGINT. Then it takes no more connections, finishes what is under way
/// and returns; if something hangs for longer than `drain_time`, it ends the process, which is as
/// safe as any end. A second signal ends the process at once. SIGHUP reads the tokens and the
/// certificate again. Throws Error for an address that cannot be listened at, or must not be:
/// others can reach it, and there are no tokens, or no TLS and not `insecure`.
void serve(Service& service, const HttpOptions& options);

/// What a connection that sends these bytes and ends is answered, byte for byte. Server-sent events
/// are left out.
[[nodiscard]] std::string answer_bytes(Service& service, const HttpOptions& options,
                                       std::string_view bytes);

}  // namespace keyhole::service
