// A store in a folder: each study is a folder in it, with a log and snapshots.

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <tuple>

#include "studies/journals/file_journal.h"
#include "studies/journals/place.h"
#include "studies/journals/store_disk.h"
#include "studies/name.h"

namespace keyhole::studies {
namespace {

namespace fs = std::filesystem;

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

[[noreturn]] void fail(const std::string& path, const std::string& what,
                       const std::error_code& error) {
  throw base::DiskError(path + ": " + what + ": " + error.message());
}

[[noreturn]] void fail_now(const std::string& path, const std::string& what) {
  fail(path, what, std::error_code(errno, std::generic_category()));
}

/// What nobody needs any more begins with these: drafts of studies, and studies that were deleted.
/// A name of a study begins with neither.
constexpr std::string_view draft_prefix = ".draft.";
constexpr std::string_view deleted_prefix = ".deleted.";

class FolderPlace final : public Store::Place {
 public:
  FolderPlace(std::string folder, const StoreOptions& options)
      : folder_(std::move(folder)), options_(options) {
    while (folder_.size() > 1 && folder_.ends_with('/')) folder_.pop_back();
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) fail(folder_, "the folder cannot be made", error);
    if (!options.allow_network && is_on_a_network(folder_)) {
      throw StudyError(folder_ +
                       " is on a network file system, where locks and writes can be lost: take a "
                       "local folder, or allow it by name (allow_network)");
    }
  }

  [[nodiscard]] std::string text() const override { return folder_; }
  [[nodiscard]] bool is_database() const override { return false; }
  [[nodiscard]] std::shared_ptr<const Place> within(const std::string& tenant) const override {
    return folder_place(folder_ + "/@" + tenant, options_);
  }

  [[nodiscard]] std::vector<std::string> tenants() const override {
    std::vector<std::string> found;
    for (const std::string& entry : entries()) {
      if (entry.starts_with('@') && is_name(entry.substr(1))) found.push_back(entry.substr(1));
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void visit(const std::string& from, const Visit& visit) const override {
    const auto all = names();
    for (auto k = std::lower_bound(all->begin(), all->end(), from); k != all->end(); ++k) {
      if (!identity(*k).empty() && !visit(*k, [&] { return label(*k); })) return;
    }
  }

  [[nodiscard]] std::string label(const std::string& name) const override {
    return base::read_file(disk(), label_path(name)).value_or("");
  }

  [[nodiscard]] bool set_label(const std::string& name, const std::string& text) const override {
    if (identity(name).empty()) return false;
    try {
      base::write_file(disk(), label_path(name), text);
    } catch (const base::DiskError&) {
      if (identity(name).empty()) return false;  // somebody has just deleted it
      throw;
    }
    return true;
  }

  /// Device and number of the file.
  [[nodiscard]] std::string identity(const std::string& name) const override {
    const auto log = look(log_path(name));
    return log && log->is_file ? std::to_string(log->device) + "/" + std::to_string(log->number)
                               : "";
  }

  [[nodiscard]] std::unique_ptr<Journal> journal(const std::string& name) const override {
    if (identity(name).empty()) return {};
    try {
      return std::make_unique<FileJournal>(log_path(name), disk(), options_.wait);
    } catch (const base::DiskError&) {
      if (identity(name).empty()) return {};  // somebody has just deleted it
      throw;
    }
  }

  [[nodiscard]] std::unique_ptr<Snapshots> snapshots(const std::string& name) const override {
    return std::make_unique<FileSnapshots>(path(name), disk());
  }

  [[nodiscard]] std::string log(const std::string& name) const override {
    return base::read_file(disk(), log_path(name)).value_or("");
  }

  [[nodiscard]] std::uint64_t log_bytes(const std::string& name) const override {
    const auto log = look(log_path(name));
    return log ? log->size : 0;
  }

  [[nodiscard]] KeptContents contents(const std::string& name) const override {
    KeptContents contents;
    std::vector<std::string> files;
    if (disk().list(path(name), files) != 0) {
      if (errno == ENOENT) return contents;  // somebody has just deleted it
      fail_now(path(name), "the folder cannot be read");
    }
    for (const std::string& file : files) {
      const std::string content =
          "sha256:" + file.substr(0, file.rfind('.')).erase(0, file.find('-') + 1);
      if (file != FileJournal::content_file(content)) continue;
      contents[content] = base::read_file(disk(), path(name) + "/" + file).value_or("");
    }
    return contents;
  }

  [[nodiscard]] bool make(const std::string& name, const std::string& log,
                          const KeptContents& contents) const override {
    // Made elsewhere and moved, so that there is never half a study.
    const std::string there = path(name);
    const std::string draft = new_folder(draft_prefix, name);
    bool placed = false;
    try {
      for (const auto& [content, bytes] : contents) {
        base::write_file(disk(), draft + "/" + FileJournal::content_file(content), bytes);
      }
      base::write_file(disk(), draft + "/log", log);
      placed = disk().rename(draft, there) == 0;
      if (!placed && errno != EEXIST && errno != ENOTEMPTY) fail_now(there, "cannot be made");
      base::sync_folder(disk(), folder_);  // also if somebody else has just made it
    } catch (...) {
      if (placed) (void)disk().rename(there, draft);
      remove_all(draft);
      throw;
    }
    if (placed) return true;
    remove_all(draft);
    if (identity(name).empty() && look(there)) {
      throw base::DiskError(there +
                            ": there is something else of that name, without a log: remove it");
    }
    return false;
  }

  [[nodiscard]] bool extend(const std::string& name, std::uint64_t size,
                            const std::string& log) const override {
    if (identity(name).empty()) return false;
    FileJournal journal(log_path(name), disk(), options_.wait);
    return journal.extend(size, std::string_view{log}.substr(size));
  }

  bool remove(const std::string& name, std::uint64_t keep) const override {
    if (identity(name).empty()) return false;
    sweep(entries());
    // Out of sight at once, so that there is never half a study.
    const std::string there = path(name);
    const std::string gone = keep > 0 ? new_folder("", text_of(kept_from_now(name, keep)))
                                      : new_folder(deleted_prefix, name);
    if (const int error = moved(there, gone); error != 0) {
      remove_all(gone);
      if (error == ENOENT) return false;  // somebody else was quicker
      fail(there, "cannot be deleted", std::error_code(error, std::generic_category()));
    }
    if (keep == 0) remove_all(gone);
    return true;
  }

  [[nodiscard]] std::vector<DeletedStudy> deleted() const override {
    const std::vector<std::string> names = entries();
    sweep(names);
    std::vector<DeletedStudy> found;
    for (const auto& [kept, entry] : all_kept(names)) found.push_back({kept.name, kept.until});
    return found;
  }

  [[nodiscard]] bool undelete(const std::string& name) const override {
    for (const auto& [kept, entry] : all_kept(entries())) {
      if (kept.name != name) continue;
      const int error = moved(path(entry), path(name));
      if (error == 0) return true;
      const bool was_late = error == ENOENT || error == EEXIST || error == ENOTEMPTY;
      if (was_late) return false;  // it was brought back, or its name was taken
      fail(path(name), "cannot be brought back", std::error_code(error, std::generic_category()));
    }
    return false;
  }

 private:
  /// Asked for at each call: tests put another one in its place.
  [[nodiscard]] static base::Disk& disk() { return store_disk(); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::string log_path(const std::string& name) const { return path(name) + "/log"; }
  [[nodiscard]] std::string label_path(const std::string& name) const {
    return path(name) + "/label";
  }

  [[nodiscard]] std::optional<base::DiskEntry> look(const std::string& path) const {
    base::DiskEntry entry;
    if (disk().look(path, entry) == 0) return entry;
    if (errno == ENOENT || errno == ENOTDIR) return {};
    fail_now(path, "cannot be looked at");
  }

  [[nodiscard]] std::vector<std::string> entries() const {
    std::vector<std::string> names;
    if (disk().list(folder_, names) != 0) fail_now(folder_, "the folder cannot be read");
    return names;
  }

  using Names = std::shared_ptr<const std::vector<std::string>>;

  /// What can be names of studies, in order. They are read again once the folder has changed. Its
  /// time has whole seconds here, so one that has just changed is read again in any case.
  [[nodiscard]] Names names() const {
    const std::int64_t now = std::time(nullptr);
    std::int64_t changed = 0;
    if (disk().look_when_changed(folder_, changed) != 0) changed = now;
    {
      const std::lock_guard lock(mutex_);
      if (names_ != nullptr && changed == names_changed_) return names_;
    }
    std::vector<std::string> found = entries();
    sweep(found);
    std::erase_if(found, [](const std::string& name) { return !is_name(name); });
    std::sort(found.begin(), found.end());
    auto names = std::make_shared<const std::vector<std::string>>(std::move(found));
    const std::lock_guard lock(mutex_);
    const bool may_change_within_the_second = changed + 1 >= now;
    names_ = may_change_within_the_second ? nullptr : names;
    names_changed_ = changed;
    return names;
  }

  /// A folder that nobody else makes: of all who try a name, one succeeds.
  [[nodiscard]] std::string new_folder(std::string_view prefix, const std::string& name) const {
    for (std::uint64_t k = 0;; ++k) {
      std::string folder = path(std::string(prefix) + name + "." + std::to_string(k));
      if (disk().make_folder(folder) == 0) return folder;  // which takes no memory
      if (errno != EEXIST) fail_now(folder, "the folder cannot be made");
    }
  }

  /// Gives a folder another name, or takes the place of an empty one; 0, or the error.
  [[nodiscard]] int moved(const std::string& from, const std::string& to) const {
    if (disk().rename(from, to) != 0) return errno;
    base::sync_folder(disk(), folder_);
    return 0;
  }

  /// What is kept among these names, with the name of each, that first which was deleted last. A
  /// folder without a log is what a kill has left behind.
  [[nodiscard]] std::vector<std::pair<KeptName, std::string>> all_kept(
      const std::vector<std::string>& names) const {
    std::vector<std::pair<KeptName, std::string>> found;
    for (const std::string& name : names) {
      const auto kept = read_kept(name);
      if (kept && kept->until >= seconds_now() && look(log_path(name))) {
        found.emplace_back(*kept, name);
      }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first.deleted, a.second) > std::tie(b.first.deleted, b.second);
    });
    return found;
  }

  /// As far as it can be.
  void remove_all(const std::string& folder) const {
    std::vector<std::string> names;
    (void)disk().list(folder, names);
    for (const std::string& name : names) (void)disk().remove(folder + "/" + name);
    (void)disk().remove(folder);
  }

  /// Removes what kills have left behind, and what was deleted and kept for long enough, as far as
  /// it can be.
  void sweep(const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
      const auto kept = read_kept(name);
      if (kept && kept->until < seconds_now()) {
        // Somebody may be bringing it back: it is moved as a whole, or not at all.
        const std::string gone = path(std::string(deleted_prefix) + name.substr(1));
        if (disk().rename(path(name), gone) == 0) remove_all(gone);
      }
      if (!name.starts_with(draft_prefix) && !name.starts_with(deleted_prefix)) continue;
      if (is_left_behind(disk(), path(name))) remove_all(path(name));
    }
  }

  std::string folder_;
  StoreOptions options_;
  mutable std::mutex mutex_;  // of what follows
  mutable Names names_;
  mutable std::int64_t names_changed_ = 0;
};

}  // namespace

std::shared_ptr<const Store::Place> folder_place(std::string folder, const StoreOptions& options) {
  return std::make_shared<FolderPlace>(std::move(folder), options);
}

}  // namespace keyhole::studies
