#include "cli/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/last_lines.h"
#include "keyhole/error.h"

namespace keyhole::cli {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(what + ": " + std::generic_category().message(error));
}

/// A file descriptor that is closed in the end. Commands do not see it.
struct File {
  explicit File(int opened = -1) : number(opened) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(); }
  void close() {
    if (number >= 0) ::close(number);
    number = -1;
  }
  int number;
};

/// How much time is left.
class Deadline {
 public:
  explicit Deadline(std::optional<double> seconds) : seconds_(seconds) {}

  /// In milliseconds, for poll(): 0 if none is left, -1 if there is no limit.
  [[nodiscard]] int left() const {
    if (!seconds_) return -1;
    constexpr double longest = 1e6;
    const std::chrono::duration<double> gone = Clock::now() - begin_;
    const double left = std::clamp(1000 * (*seconds_ - gone.count()), 0.0, longest);
    return left > 0 ? static_cast<int>(left) + 1 : 0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<double> seconds_;
  Clock::time_point begin_ = Clock::now();
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

/// The environment of this process, with these variables in it, and without those that are a name
/// alone.
std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> result;
  for (const std::string& own : variables) {
    if (name_of(own) != own) result.push_back(own);
  }
  for (char** inherited = environ; *inherited != nullptr; ++inherited) {
    const std::string_view name = name_of(*inherited);
    const bool replaced = std::any_of(variables.begin(), variables.end(),
                                      [&](const auto& own) { return name_of(own) == name; });
    if (!replaced) result.emplace_back(*inherited);
  }
  return result;
}

/// A file in memory that holds the text, to be read from its beginning.
int file_of(const std::string& text) {
  const int file = ::memfd_create("input", MFD_CLOEXEC);
  std::string_view left = text;
  while (file >= 0 && !left.empty()) {
    const ssize_t count = ::write(file, left.data(), left.size());
    if (count < 0) fail("the input of a command cannot be written", errno);
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  if (file < 0 || ::lseek(file, 0, SEEK_SET) != 0) {
    fail("the input of a command cannot be made", errno);
  }
  return file;
}

/// The signals that this thread blocks, without those that may interrupt a command.
sigset_t mask_of_commands() {
  sigset_t mask;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  ::sigdelset(&mask, SIGINT);
  ::sigdelset(&mask, SIGTERM);
  return mask;
}

/// Starts the command in a process group of its own, which Ctrl-C does not reach.
pid_t start(std::vector<std::string> command, const std::vector<std::string>& variables, int input,
            int output) {
  std::vector<std::string> environment = environment_with(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  const sigset_t mask = mask_of_commands();
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, command.front().c_str(), &actions, &attributes,
                                   pointers(command).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("the command '" + command.front() + "' cannot be started", error);
  return child;
}

/// Reads until the output is closed; false if there was not enough time.
bool read_all(int output, const Deadline& deadline, LastLines& text) {
  std::array<char, 4096> buffer{};
  while (true) {
    pollfd waiting = {output, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, deadline.left());
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 && deadline.left() == 0) return false;
    if (ready <= 0) continue;
    const ssize_t count = ::read(output, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.add({buffer.data(), static_cast<std::size_t>(count)});
  }
}

/// Waits until the child has ended, and gives its status; nothing if there was not enough time.
std::optional<int> wait_for(pid_t child, const Deadline& deadline) {
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, deadline.left() < 0 ? 0 : WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) fail("a command cannot be waited for", errno);
    if (ended == 0 && deadline.left() == 0) return {};
    if (ended == 0) ::poll(nullptr, 0, 1);
  }
}

/// Waits until the child has ended and kills what it has started; its status, or nothing if there
/// was not enough time, and it was killed, too.
std::optional<int> end_of(pid_t child, const Deadline& deadline) {
  siginfo_t ended = {};
  const auto id = static_cast<id_t>(child);
  while (::waitid(P_PID, id, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0 &&
         deadline.left() != 0) {
    ::poll(nullptr, 0, 1);
  }
  ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return ended.si_pid == 0 ? std::optional<int>() : status;
}

/// As shells have it: the exit code, or 128 and the number of the signal.
int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

Ended run_command(const std::vector<std::string>& command,
                  const std::vector<std::string>& variables, const std::string& input,
                  std::optional<double> seconds) {
  const File in(file_of(input));
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) fail("a pipe for a command cannot be made", errno);
  const File out(pipe[0]);
  File its_out(pipe[1]);
  const Deadline deadline(seconds);
  const pid_t child = start(command, variables, in.number, its_out.number);
  its_out.close();
  LastLines text;
  Ended ended;
  std::optional<int> status;
  if (read_all(out.number, deadline, text)) status = wait_for(child, deadline);
  if (!status) {
    ended.late = true;
    ::kill(-child, SIGKILL);
    status = wait_for(child, Deadline({}));
  }
  ended.lines = text.get();
  ended.code = code_of(*status);
  return ended;
}

Conversation::Conversation(std::string command) : command_(std::move(command)) {
  // A socket, so that a command that has ended makes an error of a line for it, and no signal.
  std::array<int, 2> in{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0) {
    fail("a socket for a command cannot be made", errno);
  }
  File our_in(in[0]);
  const File its_in(in[1]);
  std::array<int, 2> out{};
  if (::pipe2(out.data(), O_CLOEXEC) != 0) fail("a pipe for a command cannot be made", errno);
  File our_out(out[0]);
  const File its_out(out[1]);
  child_ = start({"sh", "-c", command_}, {}, its_in.number, its_out.number);
  input_ = std::exchange(our_in.number, -1);
  output_ = std::exchange(our_out.number, -1);
}

Conversation::~Conversation() {
  close_input();
  ::close(output_);
  if (child_ != 0) (void)end_of(child_, Deadline(1));
}

void Conversation::close_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

bool Conversation::says_more() {
  close_input();
  const Deadline deadline(1);
  char byte = 0;
  while (heard_.empty()) {
    pollfd waiting = {output_, POLLIN, 0};
    if (::poll(&waiting, 1, deadline.left()) <= 0 && deadline.left() == 0) return false;
    if (waiting.revents == 0) continue;
    const ssize_t count = ::read(output_, &byte, 1);
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
    if (count == 1) return true;
  }
  return true;
}

void Conversation::say(std::string line, const Pause& pause) {
  line.push_back('\n');
  for (std::string_view left = line; !left.empty();) {
    if (!wait(true, pause)) continue;
    const ssize_t count = ::send(input_, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) fail_as_it_ended();
    left.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string Conversation::hear(const Pause& pause) {
  std::size_t end = heard_.find('\n');
  while (end == std::string::npos) {
    const std::size_t looked = heard_.size();
    (void)wait(false, pause);
    end = heard_.find('\n', looked);
  }
  std::string line = heard_.substr(0, end);
  heard_.erase(0, end + 1);
  return line;
}

bool Conversation::has_spoken() const {
  pollfd waiting = {output_, POLLIN, 0};
  return !heard_.empty() || (::poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0);
}

bool Conversation::wait(bool wants_to_say, const Pause& pause) {
  constexpr int milliseconds = 100;
  constexpr std::size_t longest = std::size_t{1} << 26U;
  std::array<pollfd, 2> waiting = {
      {{output_, POLLIN, 0}, {wants_to_say ? input_ : -1, POLLOUT, 0}}};
  if (::poll(waiting.data(), waiting.size(), milliseconds) <= 0) {
    pause();
    return false;
  }
  if (waiting[0].revents != 0) {
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(output_, buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && errno != EINTR)) fail_as_it_ended();
    heard_.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (heard_.size() > longest) {
      throw Error("the command '" + command_ + "' has printed more than 64 MiB at once");
    }
    pause();
  }
  return waiting[1].revents != 0;
}

void Conversation::fail_as_it_ended() {
  const std::string name = "the command '" + command_ + "' ";
  const std::optional<int> status = end_of(std::exchange(child_, 0), Deadline(1));
  if (!status) throw Error(name + "has closed its input or its output");
  throw Error(name + "ended with code " + std::to_string(code_of(*status)));
}

}  // namespace keyhole::cli
