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
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace keyhole::tests {

/// It runs until this object ends, or the thread that started it.
class Cluster {
 public:
  /// `syncs` says whether it waits for the disk. What a stop of the server loses does not depend on
  /// it, only what a power cut does; and without it a server starts seconds sooner after a stop.
  explicit Cluster(bool syncs) : syncs_(syncs) {
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
    wait_for(run({"initdb", "--no-sync", "--auth=trust", "--username=keyhole", "--encoding=UTF8",
                  "--locale=C", "--pgdata=" + folder_ + "/data"}));
    start();
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster() {
    if (process_ > 0) stop(SIGQUIT);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// The address of a schema of its own, which is in the database of the server.
  [[nodiscard]] std::string address(const std::string& schema = "public") const {
    return "postgresql://keyhole@/postgres?host=" + folder_ + "&options=-csearch_path%3D" + schema;
  }

  void start() {
    process_ = run({"postgres", "-D", folder_ + "/data", "-k", folder_, "-c",
                    "listen_addresses=", "-c", "shared_buffers=32MB", "-c", "max_connections=60",
                    "-c", "deadlock_timeout=10s", "-c", syncs_ ? "fsync=on" : "fsync=off"});
    for (int k = 0; k < 3000; ++k) {
      if (says_ready()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    throw std::runtime_error("PostgreSQL does not start");
  }
  /// SIGQUIT is an immediate stop, as after a crash; SIGINT a fast one.
  void stop(int signal) {
    ::kill(process_, signal);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
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
    if (status != 0) throw std::runtime_error("initdb has failed");
  }
  [[nodiscard]] bool says_ready() const {
    std::ifstream file(folder_ + "/data/postmaster.pid");
    std::string line;
    for (int k = 0; k < 8; ++k) {
      line.clear();
      std::getline(file, line);
      if (k == 0 && line != std::to_string(process_)) return false;
    }
    return line.starts_with("ready");
  }

  bool syncs_;
  std::string folder_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  pid_t process_ = -1;
};

}  // namespace keyhole::tests
