#include "keyhole/store.h"

#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "base/nearest.h"
#include "studies/body.h"
#include "studies/description_text.h"
#include "studies/file_journal.h"
#include "studies/frame.h"
#include "studies/log_reader.h"
#include "studies/name.h"
#include "studies/store_disk.h"

namespace keyhole {
namespace {

namespace fs = std::filesystem;

using studies::store_disk;

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
  if (studies::is_name(name)) return;
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
    : folder_(std::move(folder)),
      options_(options),
      catalogue_(std::make_shared<const Catalogue>(std::move(catalogue))) {
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

bool Store::place(const std::string& name, const std::string& log) const {
  // Made elsewhere and moved, so that there is never half a study.
  const std::string draft = folder_ + "/." + name + "." + std::to_string(::getpid());
  std::error_code error;
  fs::remove_all(draft, error);
  if (!fs::create_directory(draft, error)) fail(draft, "the folder cannot be made", error);
  bool placed = false;
  try {
    base::write_file(store_disk(), draft + "/log", log);
    placed = store_disk().rename(draft, path(name)) == 0;
    if (!placed && !fs::exists(path(name), error)) {
      fail(path(name), "cannot be made", std::error_code(errno, std::generic_category()));
    }
    base::sync_folder(store_disk(), folder_);
  } catch (...) {
    fs::remove_all(draft, error);
    throw;
  }
  if (!placed) fs::remove_all(draft, error);
  return placed;
}

Study Store::create(const std::string& name, const StudyDescription& description) const {
  require_name(name);
  std::error_code error;
  if (!fs::exists(path(name), error)) {
    const std::string text = studies::new_description(description, *catalogue_);
    (void)place(name, studies::frame_bytes(0, 0, text));
  }
  auto body = open_body(name);
  studies::require_same(name, body->description(), description);
  return Study(std::move(body));
}

void Store::copy(const std::string& name, const Store& to) const {
  const std::string log = log_of(name);
  std::string bytes = base::read_file(log).value_or("");
  bytes.resize(studies::read_frames(bytes, 0, log, [](std::string_view, std::uint64_t) {}));
  if (!to.place(name, bytes)) {
    throw StudyError("there is a study '" + name + "' in " + to.folder_ +
                     ": delete it first, or copy to another store");
  }
  const studies::Snapshots snapshots(to.path(name), store_disk());
  for (const studies::Snapshot& snapshot : studies::Snapshots(path(name), store_disk()).read()) {
    if (snapshot.position <= bytes.size()) snapshots.keep(snapshot);
  }
}

std::string Store::log_of(const std::string& name) const {
  require_name(name);
  const std::string log = path(name) + "/log";
  std::error_code error;
  if (!fs::is_regular_file(log, error)) {
    throw StudyError("there is no study '" + name + "' in " + folder_ +
                     base::suggestion(name, list()));
  }
  return log;
}

std::unique_ptr<Study::Body> Store::open_body(const std::string& name) const {
  auto journal = std::make_unique<studies::FileJournal>(log_of(name), store_disk());
  return std::make_unique<Study::Body>(name, std::move(journal), options_.durability, catalogue_,
                                       studies::Snapshots(path(name), store_disk()));
}

Renewal Store::renew(const std::string& name) const { return open_body(name)->renew(); }

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
  Study::Body body(name, std::make_unique<studies::FileJournal>(log, store_disk()),
                   options_.durability, catalogue_, watch);
  while (more && more()) body.follow(watch);
  found.bytes = body.position();
  found.torn = size > found.bytes ? size - found.bytes : 0;
  if (body.needs_renewal()) return found;
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
    const bool is_study = fs::is_regular_file(entry.path() / "log", error);
    if (studies::is_name(name) && is_study) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void Store::remove(const std::string& name) const {
  (void)log_of(name);
  // Out of sight at once, so that there is never half a study.
  const std::string gone = folder_ + "/.deleted." + name + "." + std::to_string(::getpid());
  if (store_disk().rename(path(name), gone) != 0) {
    fail(path(name), "cannot be deleted", std::error_code(errno, std::generic_category()));
  }
  std::error_code ignored;
  fs::remove_all(gone, ignored);
}

}  // namespace keyhole
