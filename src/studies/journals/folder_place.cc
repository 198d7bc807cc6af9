// A store in a folder: each study is a folder in it, with a log and snapshots.

#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

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

class FolderPlace final : public Store::Place {
 public:
  FolderPlace(std::string folder, bool allow_network)
      : folder_(std::move(folder)), allow_network_(allow_network) {
    while (folder_.size() > 1 && folder_.ends_with('/')) folder_.pop_back();
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) fail(folder_, "the folder cannot be made", error);
    if (!allow_network_ && is_on_a_network(folder_)) {
      throw StudyError(folder_ +
                       " is on a network file system, where locks and writes can be lost: take a "
                       "local folder, or allow it by name (allow_network)");
    }
  }

  [[nodiscard]] std::string text() const override { return folder_; }
  [[nodiscard]] bool is_database() const override { return false; }
  [[nodiscard]] std::shared_ptr<const Place> within(const std::string& tenant) const override {
    return folder_place(folder_ + "/@" + tenant, allow_network_);
  }

  [[nodiscard]] std::vector<std::string> list() const override {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entries(folder_, error);
    if (error) fail(folder_, "the folder cannot be read", error);
    for (const auto& entry : entries) {
      const std::string name = entry.path().filename().string();
      const bool is_study = fs::is_regular_file(entry.path() / "log", error);
      if (is_name(name) && is_study) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Device and number of the file.
  [[nodiscard]] std::string identity(const std::string& name) const override {
    struct stat status = {};
    if (::stat(log_path(name).c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return "";
    return std::to_string(status.st_dev) + "/" + std::to_string(status.st_ino);
  }

  [[nodiscard]] std::unique_ptr<Journal> journal(const std::string& name) const override {
    std::error_code error;
    if (!fs::is_regular_file(log_path(name), error)) return {};
    return std::make_unique<FileJournal>(log_path(name), store_disk());
  }

  [[nodiscard]] std::unique_ptr<Snapshots> snapshots(const std::string& name) const override {
    return std::make_unique<FileSnapshots>(path(name), store_disk());
  }

  [[nodiscard]] std::string log(const std::string& name) const override {
    return base::read_file(log_path(name)).value_or("");
  }

  [[nodiscard]] std::uint64_t log_bytes(const std::string& name) const override {
    std::error_code error;
    const auto bytes = fs::file_size(log_path(name), error);
    return error ? 0 : bytes;
  }

  [[nodiscard]] bool make(const std::string& name, const std::string& log) const override {
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

  bool remove(const std::string& name) const override {
    std::error_code error;
    if (!fs::is_regular_file(log_path(name), error)) return false;
    // Out of sight at once, so that there is never half a study.
    const std::string gone = folder_ + "/.deleted." + name + "." + std::to_string(::getpid());
    if (store_disk().rename(path(name), gone) != 0) {
      fail(path(name), "cannot be deleted", std::error_code(errno, std::generic_category()));
    }
    fs::remove_all(gone, error);
    return true;
  }

 private:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::string log_path(const std::string& name) const { return path(name) + "/log"; }

  std::string folder_;
  bool allow_network_;
};

}  // namespace

std::shared_ptr<const Store::Place> folder_place(std::string folder, bool allow_network) {
  return std::make_shared<FolderPlace>(std::move(folder), allow_network);
}

}  // namespace keyhole::studies
