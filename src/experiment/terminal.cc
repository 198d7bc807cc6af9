#include "experiment/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace keyhole::experiment {

std::optional<TerminalSize> terminal_size(Stream stream) {
  const int number = static_cast<int>(stream);
  if (::isatty(number) == 0) return {};
  winsize size{};
  if (::ioctl(number, TIOCGWINSZ, &size) != 0) return TerminalSize();
  return TerminalSize{size.ws_col, size.ws_row};
}

double seconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

bool wait(double seconds, const std::atomic<bool>& flag) {
  constexpr double slice = 0.05;  // nobody notices that an end comes so late
  const double end = seconds_now() + seconds;
  for (double left = seconds; left > 0 && !flag; left = end - seconds_now()) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, slice)));
  }
  return !flag;
}

Notice::Notice(const std::string& text) {
  if (!terminal_size(Stream::error)) return;
  thread_ = std::move(
      Notice(text, 1, [](const std::string& part) { std::cerr << part << std::flush; }).thread_);
}

Notice::Notice(std::string text, double seconds, std::function<void(const std::string& text)> write)
    : thread_(
          [text = std::move(text), seconds, write = std::move(write)](const std::stop_token& stop) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any ended;
            const auto never = [] { return false; };
            ended.wait_for(lock, stop, std::chrono::duration<double>(seconds), never);
            if (stop.stop_requested()) return;
            write("\r" + text + "\x1b[K");
            ended.wait(lock, stop, never);
            write("\r\x1b[K");
          }) {}

}  // namespace keyhole::experiment
