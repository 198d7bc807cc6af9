#include "experiment/interrupt.h"

#include <csignal>

namespace keyhole::experiment {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // else a handler must not touch it

void interrupt(int) { interrupted = true; }

}  // namespace

const std::atomic<bool>& stop_on_interrupt() {
  interrupted = false;
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return interrupted;
}

}  // namespace keyhole::experiment
