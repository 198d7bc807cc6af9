#include "experiment/directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "experiment/build_commit.h"
#include "experiment/config.h"
#include "experiment/json.h"
#include "experiment/unit.h"
#include "keyhole/version.h"

namespace keyhole::experiment {
namespace {

std::string reason(const std::error_code& error) { return error.message(); }

}  // namespace

Directory::Directory(std::string path, const Experiment& experiment, base::Disk& disk)
    : path_(std::move(path)),
      disk_(disk),
      hash_(experiment_hash(experiment)),
      players_(experiment.players.size()) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw RunError(path_ + ": the directory cannot be made: " + reason(error));
  refuse_foreign();
  lock();
  try {
    begin_or_continue(experiment.text.empty() ? print_config(experiment) : experiment.text);
    std::filesystem::create_directory(file("parts"), error);
    if (error) throw RunError(file("parts") + ": the directory cannot be made: " + reason(error));
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

Directory::~Directory() { ::close(lock_); }

/// Without meta.json only what an experiment leaves that was interrupted before it is allowed.
void Directory::refuse_foreign() const {
  std::error_code error;
  if (std::filesystem::exists(file("meta.json"), error)) return;
  constexpr std::array<std::string_view, 4> ours = {"lock", "experiment.toml",
                                                    "experiment.toml.tmp", "meta.json.tmp"};
  std::filesystem::directory_iterator entries(path_, error);
  if (error) throw RunError(path_ + ": the directory cannot be read: " + reason(error));
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (std::find(ours.begin(), ours.end(), name) == ours.end()) {
      throw RunError(path_ + ": the directory is not empty and holds no experiment (there is '" +
                     name + "'): choose another one; nothing was written");
    }
  }
}

void Directory::lock() {
  lock_ = ::open(file("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) {
    throw RunError(
        path_ + ": the directory cannot be written to: " + std::generic_category().message(errno));
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  ::close(lock_);
  throw RunError(path_ + (error == EWOULDBLOCK
                              ? ": another process is running this experiment"
                              : ": cannot be locked: " + std::generic_category().message(error)));
}

void Directory::begin_or_continue(const std::string& text) {
  const auto text_there = base::read_file(file("experiment.toml"));
  const auto meta_there = base::read_file(file("meta.json"));
  if (text_there ? *text_there != text : meta_there.has_value()) {
    throw RunError(path_ +
                   ": the directory holds another experiment (see its experiment.toml): "
                   "choose another directory; nothing was overwritten");
  }
  if (!meta_there) {
    version_ = keyhole::version;
    commit_ = build_commit();
    if (!text_there) base::write_file(disk_, file("experiment.toml"), text);
    const Json meta = {{"format", 1},
                       {"version", version_},
                       {"commit", commit_},
                       {"trace_revision", trace_revision}};
    base::write_file(disk_, file("meta.json"), meta.dump(2) + "\n");
    return;
  }
  std::uint32_t revision = 0;
  try {
    const Json meta = Json::parse(*meta_there);
    meta.at("version").get_to(version_);
    meta.at("commit").get_to(commit_);
    meta.at("trace_revision").get_to(revision);
  } catch (const std::exception&) {
    throw RunError(file("meta.json") + ": it is damaged; choose another directory");
  }
  if (revision != trace_revision) {
    throw RunError(path_ + ": the directory was begun with trace revision " +
                   std::to_string(revision) + " and this version has " +
                   std::to_string(trace_revision) +
                   ": their digits differ; choose another directory");
  }
  if (version_ != keyhole::version || commit_ != build_commit()) {
    warnings_.push_back("the experiment was begun by version " + version_ + ", commit " + commit_ +
                        ", and is continued by version " + keyhole::version + ", commit " +
                        build_commit());
  }
}

std::string Directory::part_file(std::size_t problem, std::uint64_t repeat) const {
  return file("parts/" + std::to_string(problem) + "-" + std::to_string(repeat) + ".json");
}

void Directory::write_part(const Part& part) {
  base::write_file(disk_, part_file(part.problem, part.repeat), part_text(part));
}

std::optional<Part> Directory::read_part(std::size_t problem, std::uint64_t repeat) {
  const std::string path = part_file(problem, repeat);
  const auto text = base::read_file(path);
  if (!text) return {};
  std::optional<Part> part = experiment::read_part(*text);
  if (part && part->experiment == hash_ && part->problem == problem && part->repeat == repeat &&
      part->players.size() == players_) {
    return part;
  }
  warnings_.push_back(path + ": it is damaged and is computed again");
  return {};
}

void Directory::write(const std::string& name, const std::string& text) {
  if (base::read_file(file(name)) != text) base::write_file(disk_, file(name), text);
}

}  // namespace keyhole::experiment
