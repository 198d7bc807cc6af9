#include "keyhole/store.h"

#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "base/disk.h"
#include "base/nearest.h"
#include "studies/body.h"
#include "studies/description_text.h"
#include "studies/file_journal.h"
#include "studies/frame.h"

namespace keyhole {
namespace {

namespace fs = std::filesystem;

base::Disk& disk() {
  static base::Disk disk;
  return disk;
}

/// Whether a folder is on a file system that is known to lose locks or writes: NFS, SMB, CIFS,
/// FUSE, Lustre, Ceph, 9p.
bool is_on_a_network(const std::string& folder) {
  struct statfs status = {};
  if (::statfs(folder.c_str(), &status) != 0) return false;
  constexpr std::array<unsigned long, 8> network = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42,
                                                    0x65735546, 0x0BD00BD0, 0x00C36400, 0x01021997};
  return std::find(network.begin(), network.end(), static_cast<unsigned long>(status.f_type)) !=
         network.end();
}

void require_name(const std::string& name) {
  const bool good = !name.empty() && name.size() <= 100 && name[0] != '.' && name[0] != '-' &&
                    std::all_of(name.begin(), name.end(), [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
                    });
  if (good) return;
  throw StudyError("'" + name +
                   "' cannot be the name of a study: take up to 100 letters, digits, '-', '_' and "
                   "'.', and begin with a letter, a digit or '_'");
}

[[noreturn]] void fail(const std::string& path, const std::string& what,
                       const std::error_code& error) {
  throw base::DiskError(path + ": " + what + ": " + error.message());
}

}  // namespace

Store::Store(std::string folder, const StoreOptions& options, Catalogue catalogue)
    : folder_(std::move(folder)), options_(options), catalogue_(std::move(catalogue)) {
  while (folder_.size() > 1 && folder_.ends_with('/')) folder_.pop_back();
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) fail(folder_, "the folder cannot be made", error);
  if (!options_.allow_network && is_on_a_network(folder_)) {
    throw StudyError(folder_ +
                     " is on a network file system, where locks and writes can be lost: take a "
                     "local folder, or allow it by name (allow_network)");
  }
}

std::string Store::path(const std::string& name) const { return folder_ + "/" + name; }

Study Store::create(const std::string& name, const StudyDescription& description) const {
  require_name(name);
  const std::string text =
      studies::description_text(description, studies::make_learner_of(description, catalogue_));
  std::error_code error;
  if (!fs::exists(path(name), error)) {
    // Made elsewhere and moved, so that there is never half a study.
    const std::string draft = folder_ + "/." + name + "." + std::to_string(::getpid());
    fs::remove_all(draft, error);
    if (!fs::create_directory(draft, error)) fail(draft, "the folder cannot be made", error);
    try {
      base::write_file(disk(), draft + "/log", studies::frame_bytes(0, 0, text));
    } catch (...) {
      fs::remove_all(draft, error);
      throw;
    }
    fs::rename(draft, path(name), error);
    std::error_code ignored;
    if (error) fs::remove_all(draft, ignored);
    if (error && !fs::exists(path(name), ignored)) fail(path(name), "cannot be made", error);
  }
  auto body = open_body(name);
  if (body->text() != text) {
    throw StudyError("there is a study '" + name +
                     "' with another description: take another name, or delete it first");
  }
  return Study(std::move(body));
}

std::string Store::log_of(const std::string& name) const {
  require_name(name);
  const std::string log = path(name) + "/log";
  std::error_code error;
  if (!fs::exists(log, error)) {
    throw StudyError("there is no study '" + name + "' in " + folder_ +
                     base::suggestion(name, list()));
  }
  return log;
}

std::unique_ptr<Study::Body> Store::open_body(const std::string& name) const {
  return std::make_unique<Study::Body>(name,
                                       std::make_unique<studies::FileJournal>(log_of(name), disk()),
                                       options_.durability, catalogue_);
}

Study Store::open(const std::string& name) const { return Study(open_body(name)); }

StudyLog Store::replay(const std::string& name,
                       const std::function<void(const StudyRecord& record)>& take,
                       const std::function<bool()>& more) const {
  const std::string log = log_of(name);
  std::error_code error;
  const std::uint64_t size = fs::file_size(log, error);  // before others append more
  if (error) fail(log, "cannot be looked at", error);
  StudyLog found{.frames = 1};
  const auto watch = [&](const StudyRecord& record) {
    ++found.frames;
    take(record);
  };
  Study::Body body(name, std::make_unique<studies::FileJournal>(log, disk()), options_.durability,
                   catalogue_, watch);
  while (more && more()) body.follow(watch);
  found.bytes = body.position();
  found.torn = size > found.bytes ? size - found.bytes : 0;
  found.state_hash = body.look([](const Learner& learner) { return learner.state().hash(); });
  return found;
}

std::vector<std::string> Store::list() const {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entries(folder_, error);
  if (error) fail(folder_, "the folder cannot be read", error);
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name[0] != '.' && fs::exists(entry.path() / "log", error)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void Store::remove(const std::string& name) const {
  (void)log_of(name);
  // Out of sight at once, so that there is never half a study.
  const std::string gone = folder_ + "/.deleted." + name + "." + std::to_string(::getpid());
  std::error_code error;
  fs::rename(path(name), gone, error);
  if (error) fail(path(name), "cannot be deleted", error);
  fs::remove_all(gone, error);
}

}  // namespace keyhole
