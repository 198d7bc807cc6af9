#include "experiment/directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "experiment/build_commit.h"
#include "experiment/config.h"
#include "experiment/extension.h"
#include "experiment/json.h"
#include "experiment/terminal.h"
#include "experiment/unit.h"
#include "keyhole/version.h"

namespace keyhole::experiment {
namespace {

std::string reason(const std::error_code& error) { return error.message(); }

}  // namespace

Directory::Directory(std::string path, const Experiment& experiment, base::Disk& disk,
                     const Catalogue& catalogue, Hold hold)
    : path_(std::move(path)), experiment_(experiment), disk_(disk) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw RunError(path_ + ": the directory cannot be made: " + reason(error));
  refuse_foreign();
  lock_ = ::open(file("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) {
    throw RunError(
        path_ + ": the directory cannot be written to: " + std::generic_category().message(errno));
  }
  try {
    const std::string text = experiment.text.empty() ? print_config(experiment) : experiment.text;
    if (hold == Hold::together) {
      lock_together(text, catalogue);
    } else if (try_lock(LOCK_EX)) {
      remove_leftovers();
      begin_or_continue(text, catalogue);
    } else {
      throw RunError(path_ + ": another process is running this experiment");
    }
    make_folder("parts");
    make_folder("times");
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

Directory::~Directory() { ::close(lock_); }

void Directory::make_folder(const char* name) const {
  std::error_code error;
  std::filesystem::create_directory(file(name), error);
  if (error) throw RunError(file(name) + ": the directory cannot be made: " + reason(error));
}

/// Without meta.json only what an experiment leaves that was interrupted before it is allowed.
void Directory::refuse_foreign() const {
  std::error_code error;
  std::filesystem::directory_iterator entries(path_, error);
  if (error) throw RunError(path_ + ": the directory cannot be read: " + reason(error));
  std::string foreign;
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    const bool is_temporary = name.ends_with(".tmp") && (name.starts_with("experiment.toml.") ||
                                                         name.starts_with("meta.json."));
    if (name != "lock" && name != "experiment.toml" && !is_temporary) foreign = name;
  }
  // Asked after the others: another process may be making the directory.
  if (foreign.empty() || std::filesystem::exists(file("meta.json"), error)) return;
  throw RunError(path_ + ": the directory is not empty and holds no experiment (there is '" +
                 foreign + "'): choose another one; nothing was written");
}

/// Whether the directory could be locked at once.
bool Directory::try_lock(int how) const {
  if (::flock(lock_, how | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  throw RunError(path_ + ": cannot be locked: " + std::generic_category().message(errno));
}

/// The first process of several makes or extends the directory, alone; the others wait for it.
void Directory::lock_together(const std::string& text, const Catalogue& catalogue) {
  constexpr int most_attempts = 600;
  constexpr double seconds_between = 0.05;
  static const std::atomic<bool> never = false;
  const auto is_begun = [&] {
    return base::read_file(file("experiment.toml")) == text &&
           base::read_file(file("meta.json")).has_value();
  };
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (try_lock(LOCK_SH)) {
      if (is_begun()) return begin_or_continue(text, catalogue);
      ::flock(lock_, LOCK_UN);
      if (try_lock(LOCK_EX)) {
        begin_or_continue(text, catalogue);
        ::flock(lock_, LOCK_SH);
        return;
      }
    }
    wait(seconds_between, never);
  }
  throw RunError(path_ + ": another process is running this experiment, and not as a slice of it");
}

/// What processes left that were killed while they wrote.
void Directory::remove_leftovers() const {
  std::error_code error;
  for (const std::string& folder : {path_, file("parts"), file("times"), file("trial")}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".tmp") std::filesystem::remove(entry.path(), error);
    }
  }
}

/// Makes the experiment a larger one, which has all that is there.
void Directory::extend(const std::string& there, const std::string& text,
                       const Catalogue& catalogue) {
  std::string why;
  try {
    why = why_no_extension(experiment_, parse_experiment(there, "", experiment_.folder, catalogue));
  } catch (const InputError& error) {
    why = error.what();
  }
  if (!why.empty()) {
    throw RunError(path_ + ": the directory holds another experiment (see its experiment.toml): " +
                   why + "; choose another directory; nothing was overwritten");
  }
  base::write_file(disk_, file("experiment.toml"), text);
  extended_ = true;
}

void Directory::begin_or_continue(const std::string& text, const Catalogue& catalogue) {
  const auto text_there = base::read_file(file("experiment.toml"));
  const auto meta_there = base::read_file(file("meta.json"));
  if (meta_there ? !text_there : text_there && *text_there != text) {
    throw RunError(path_ + ": the directory holds another experiment, and its " +
                   (meta_there ? "experiment.toml" : "meta.json") +
                   " is missing: choose another directory; nothing was overwritten");
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
  if (*text_there != text) extend(*text_there, text, catalogue);
  if (version_ != keyhole::version || commit_ != build_commit()) {
    warn("the experiment was begun by version " + version_ + ", commit " + commit_ +
         ", and is continued by version " + keyhole::version + ", commit " + build_commit());
  }
}

void Directory::warn(const std::string& warning) {
  const std::scoped_lock lock(mutex_);
  if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end()) {
    warnings_.push_back(warning);
  }
}

std::vector<std::string> Directory::warnings() const {
  const std::scoped_lock lock(mutex_);
  return warnings_;
}

std::string part_name(std::size_t problem, std::uint64_t repeat) {
  return "parts/" + std::to_string(problem) + "-" + std::to_string(repeat) + ".json";
}

std::string times_name(std::size_t problem) { return "times/" + std::to_string(problem) + ".json"; }

std::string trial_name(std::size_t problem) { return "trial/" + std::to_string(problem) + ".json"; }

std::string Directory::part_file(std::size_t problem, std::uint64_t repeat) const {
  return file(part_name(problem, repeat));
}

void Directory::write_part(const Part& part) {
  base::write_file(disk_, part_file(part.problem, part.repeat), part_text(part));
}

Part arranged(Part part, const Experiment& experiment) {
  std::vector<PlayerResult> players;
  for (const Named& named : experiment.players) {
    const auto found = std::find_if(part.players.begin(), part.players.end(),
                                    [&](const auto& one) { return one.spec == named.spec; });
    players.push_back(
        found != part.players.end() ? *found : PlayerResult{.played = false, .spec = named.spec});
  }
  part.players = std::move(players);
  return part;
}

std::optional<Part> Directory::read_part(std::size_t problem, std::uint64_t repeat) {
  const std::string path = part_file(problem, repeat);
  const auto text = base::read_file(path);
  if (!text) return {};
  std::optional<Part> part = experiment::read_part(*text);
  if (part && part->key == problem_hash(experiment_, problem) && part->problem == problem &&
      part->repeat == repeat) {
    return arranged(std::move(*part), experiment_);
  }
  warn(path + ": it is damaged and is computed again");
  return {};
}

void Directory::write_trial(std::size_t problem, const std::string& text) {
  make_folder("trial");
  write(trial_name(problem), text);
}

void Directory::remove_trials() const {
  std::error_code error;  // what is left says the same as trial.json
  for (std::size_t p = 0; p < experiment_.problems.size(); ++p) {
    std::filesystem::remove(file(trial_name(p)), error);
  }
  std::filesystem::remove(file("trial"), error);
}

void Directory::write(const std::string& name, const std::string& text) {
  if (base::read_file(file(name)) != text) base::write_file(disk_, file(name), text);
}

}  // namespace keyhole::experiment
