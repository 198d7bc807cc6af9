// A private server of PostgreSQL, in a folder of its own, that only a socket file leads to.

#pragma once

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "wait.h"

namespace keyhole::tests {

/// It runs until this object ends, or the thread that started it.
class Cluster {
 public:
  /// `syncs` says whether it waits for the disk. What a stop of the server loses does not depend on
  /// it, only what a power cut does; and without it a server starts seconds sooner after a stop.
  explicit Cluster(bool syncs) : syncs_(syncs) {
    make_folder();
    wait_for(run({"initdb", "--no-sync", "--auth=trust", "--username=keyhole", "--encoding=UTF8",
                  "--locale=C", "--pgdata=" + folder_ + "/data"}));
    start();
  }
  /// A standby of another server, by the name `name`: a copy that follows it.
  Cluster(const Cluster& primary, std::string name)
      : syncs_(primary.syncs_), name_(std::move(name)) {
    make_folder();
    follow(primary);
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster() {
    if (process_ > 0) stop(SIGQUIT);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// The address of a schema of its own, which is in the database of the server; or of that of
  /// several servers, whichever can be written to.
  [[nodiscard]] std::string address(const std::string& schema = "public",
                                    const Cluster* other = nullptr) const {
    return "postgresql://keyhole@/postgres?host=" + folder_ +
           (other == nullptr ? "" : "," + other->folder_) + "&options=-csearch_path%3D" + schema;
  }

  /// A standby looks ten times a second for a server that has left it; 5 s is the default.
  void start() {
    process_ = run({"postgres", "-D", folder_ + "/data", "-k", folder_, "-c",
                    "listen_addresses=", "-c", "shared_buffers=32MB", "-c", "max_connections=60",
                    "-c", "deadlock_timeout=10s", "-c", syncs_ ? "fsync=on" : "fsync=off", "-c",
                    "wal_retrieve_retry_interval=100ms", "-c", "cluster_name=" + name_});
    if (!comes_true([&] { return says_ready(); })) {
      throw std::runtime_error("PostgreSQL does not start");
    }
  }
  /// SIGQUIT is an immediate stop, as after a crash; SIGINT a fast one.
  void stop(int signal) {
    ::kill(process_, signal);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  /// It, and the processes that it has started.
  [[nodiscard]] std::vector<pid_t> processes() const {
    std::vector<pid_t> found;
    for (const auto& [process, words] : stats()) found.push_back(process);
    return found;
  }
  /// What it and its processes have used of the processors, those that have ended included.
  [[nodiscard]] double processor_seconds() const {
    double ticks = 0;
    for (const auto& [process, words] : stats()) {
      // From the 12th word on the four times: its own, and of those that have ended.
      const std::size_t end = process == process_ ? 15 : 13;
      for (std::size_t k = 11; k < end; ++k) ticks += std::stod(words.at(k));
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  /// Makes it a standby of another server. What it was before is deleted.
  void follow(const Cluster& primary) {
    std::filesystem::remove_all(folder_ + "/data");
    wait_for(
        run({"pg_basebackup", "--no-sync", "--checkpoint=fast", "--write-recovery-conf",
             "--host=" + primary.folder_, "--username=keyhole", "--pgdata=" + folder_ + "/data"}));
    start();
  }
  /// Sets an option while it runs. A standby refuses Keyhole's connections, so the file is written.
  void set(const std::string& option, const std::string& value) const {
    std::ofstream(folder_ + "/data/postgresql.auto.conf", std::ios::app)
        << option << " = '" << value << "'\n";
    ::kill(process_, SIGHUP);
  }
  /// Makes a standby the server that is written to.
  void promote() const { wait_for(run({"pg_ctl", "promote", "-D", folder_ + "/data"})); }

 private:
  /// What the system says of it and its processes, from the word behind the name on.
  [[nodiscard]] std::map<pid_t, std::vector<std::string>> stats() const {
    std::map<pid_t, std::vector<std::string>> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::ifstream file(entry.path() / "stat");
      std::string text;
      if (!std::getline(file, text)) continue;
      // Behind the name: the state, and the parent.
      std::istringstream words(text.substr(text.rfind(')') + 1));
      const std::vector<std::string> word{std::istream_iterator<std::string>(words), {}};
      const pid_t process = std::stoi(text);
      if (process == process_ || word.at(1) == std::to_string(process_)) found[process] = word;
    }
    return found;
  }
  void make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "keyhole-pg-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    // Not for root: PostgreSQL refuses it.
    if (::geteuid() == 0) {
      const passwd* const user = ::getpwnam("postgres");
      if (user == nullptr) throw std::runtime_error("there is no user 'postgres'");
      user_ = user->pw_uid;
      group_ = user->pw_gid;
      if (::chown(folder_.c_str(), user_, group_) != 0) throw std::runtime_error("no chown");
      ::chmod(folder_.c_str(), 0755);
    }
  }
  /// The newest that is installed.
  static std::string programs() {
    std::vector<std::string> folders;
    for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql")) {
      if (std::filesystem::exists(entry.path() / "bin/initdb")) folders.push_back(entry.path());
    }
    if (folders.empty()) throw std::runtime_error("there is no PostgreSQL: scripts/setup test");
    return *std::max_element(folders.begin(), folders.end()) + "/bin/";
  }

  [[nodiscard]] pid_t run(std::vector<std::string> words) const {
    words[0] = programs() + words[0];
    const pid_t process = ::fork();
    if (process != 0) return process;
    if (user_ != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(group_) != 0 ||
                       ::setuid(user_) != 0 || ::chdir("/") != 0)) {
      ::_exit(126);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
    const std::string log = folder_ + "/log";
    if (std::freopen(log.c_str(), "a", stdout) == nullptr) ::_exit(125);
    ::dup2(STDOUT_FILENO, STDERR_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  static void wait_for(pid_t process) {
    int status = 0;
    ::waitpid(process, &status, 0);
    if (status != 0) throw std::runtime_error("a program of PostgreSQL has failed");
  }
  [[nodiscard]] bool says_ready() const {
    std::ifstream file(folder_ + "/data/postmaster.pid");
    std::string line;
    for (int k = 0; k < 8; ++k) {
      line.clear();
      std::getline(file, line);
      if (k == 0 && line != std::to_string(process_)) return false;
    }
    return line.starts_with("ready") || line.starts_with("standby");
  }

  bool syncs_;
  std::string name_;
  std::string folder_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  pid_t process_ = -1;
};

}  // namespace keyhole::tests
