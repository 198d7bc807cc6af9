#include "experiment/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

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

}  // namespace keyhole::experiment
