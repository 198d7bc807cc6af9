#include "experiment/interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <initializer_list>
#include <system_error>

#include "keyhole/error.h"

namespace keyhole::experiment {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // else a handler must not touch it

void interrupt(int) { interrupted = true; }

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : signals) ::sigaddset(&set, signal);
  return set;
}

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

Interrupts::Interrupts() {
  const sigset_t both = set_of({SIGINT, SIGTERM});
  ::pthread_sigmask(SIG_BLOCK, &both, &mask_before_);
  ::signal(SIGINT, SIG_DFL);  // the usual effect, also where it was ignored
  ::signal(SIGTERM, SIG_DFL);
  try {
    signals_ = ::signalfd(-1, &both, SFD_CLOEXEC | SFD_NONBLOCK);
    end_ = ::eventfd(0, EFD_CLOEXEC);
    if (signals_ < 0 || end_ < 0) {
      throw Error("signals cannot be waited for: " + std::generic_category().message(errno));
    }
    watcher_ = std::thread([this] { watch(); });
  } catch (...) {
    close();
    throw;
  }
}

Interrupts::~Interrupts() {
  ::eventfd_write(end_, 1);
  watcher_.join();
  close();
}

bool Interrupts::seen() const {
  const std::lock_guard lock(mutex_);
  sigset_t pending;
  ::sigpending(&pending);
  return seen_ || ::sigismember(&pending, SIGINT) == 1 || ::sigismember(&pending, SIGTERM) == 1;
}

void Interrupts::watch() {
  while (true) {
    std::array<pollfd, 2> waiting = {{{signals_, POLLIN, 0}, {end_, POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    while (take()) {
    }
    if (waiting[1].revents != 0) return;
  }
}

bool Interrupts::take() {
  signalfd_siginfo signal = {};
  {
    const std::lock_guard lock(mutex_);
    if (::read(signals_, &signal, sizeof signal) != sizeof signal) return false;
    seen_ = true;
  }
  const sigset_t its_next = set_of({static_cast<int>(signal.ssi_signo)});
  ::pthread_sigmask(SIG_UNBLOCK, &its_next, nullptr);
  return true;
}

void Interrupts::close() {
  if (signals_ >= 0) ::close(signals_);
  if (end_ >= 0) ::close(end_);
  ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

}  // namespace keyhole::experiment
