#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include "base/disk.h"
#include "folder.h"

namespace keyhole::tests {

/// Thrown where the power is cut.
struct PowerCut {};

/// A disk below a folder that knows what is on its medium: bytes that were synced, and names that
/// were in a folder when that was synced. The power can be cut at a call; power_cut() then leaves
/// what is on the medium, and nothing else. A sync can fail: what was to be written is then lost,
/// and looks as if it were there until the power is cut.
class PowerDisk final : public base::Disk {
 public:
  explicit PowerDisk(std::string root) : root_(std::move(root)) { names_[id(root_)] = {}; }

  int cut_at = -1;        // the number of the call at which the power is cut
  int fail_sync_at = -1;  // the number of the sync that fails
  int calls = 0;
  int syncs = 0;

  int create(const std::string& path) override {
    count();
    const int file = Disk::create(path);
    if (file >= 0) data_[id(file)] = "";
    return file;
  }
  std::ptrdiff_t write(int file, const char* bytes, std::size_t count_,
                       std::uint64_t from) override {
    count();
    const std::ptrdiff_t written = Disk::write(file, bytes, count_, from);
    if (written > 0) {
      ranges_[id(file)][from] = std::string(bytes, static_cast<std::size_t>(written));
    }
    return written;
  }
  int truncate(int file, std::uint64_t size) override {
    count();
    return Disk::truncate(file, size);
  }
  int sync(int file) override { return synced(file); }
  int sync_data(int file) override { return synced(file); }
  int rename(const std::string& from, const std::string& to) override {
    count();
    return Disk::rename(from, to);
  }
  int make_folder(const std::string& path) override {
    count();
    const int made = Disk::make_folder(path);
    if (made == 0) names_[id(path)] = {};
    return made;
  }
  int remove(const std::string& path) override {
    count();
    return Disk::remove(path);
  }

  /// Leaves what is on the medium.
  void power_cut() {
    const std::uint64_t root = id(root_);
    for (const auto& entry : std::filesystem::directory_iterator(root_)) {
      std::filesystem::remove_all(entry.path());
    }
    restore(root, root_);
  }

 private:
  static std::uint64_t id(const struct stat& status) { return status.st_ino; }
  static std::uint64_t id(int file) {
    struct stat status = {};
    ::fstat(file, &status);
    return id(status);
  }
  static std::uint64_t id(const std::string& path) {
    struct stat status = {};
    ::stat(path.c_str(), &status);
    return id(status);
  }

  void count() {
    if (calls++ == cut_at) is_off_ = true;
    if (is_off_) throw PowerCut();
  }

  int synced(int file) {
    count();
    const std::uint64_t which = id(file);
    const bool fails = syncs++ == fail_sync_at;
    struct stat status = {};
    ::fstat(file, &status);
    if (S_ISDIR(status.st_mode)) {
      if (fails) return refuse();
      auto& names = names_[which];
      names.clear();
      for (const auto& entry : std::filesystem::directory_iterator(path_of(file))) {
        names[entry.path().filename()] = {id(entry.path().string()), entry.is_directory()};
      }
      return 0;
    }
    const auto ranges = std::exchange(ranges_[which], {});
    if (fails) return refuse();
    std::string& medium = data_[which];
    medium.resize(static_cast<std::size_t>(status.st_size));
    for (const auto& [from, bytes] : ranges) {
      if (from >= medium.size()) continue;
      medium.replace(from, std::min(bytes.size(), medium.size() - from), bytes, 0,
                     medium.size() - from);
    }
    return 0;
  }

  static int refuse() {
    errno = EIO;
    return -1;
  }

  static std::string path_of(int file) {
    return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file)).string();
  }

  struct Name {
    std::uint64_t id = 0;
    bool is_folder = false;
  };

  void restore(std::uint64_t folder, const std::string& path) {
    for (const auto& [name, what] : names_[folder]) {
      const std::string there = path + "/" + name;
      if (what.is_folder) {
        std::filesystem::create_directory(there);
        restore(what.id, there);
      } else {
        write_bytes(there, data_[what.id]);
      }
    }
  }

  std::string root_;
  bool is_off_ = false;
  std::map<std::uint64_t, std::map<std::uint64_t, std::string>> ranges_;  // written since the sync
  std::map<std::uint64_t, std::string> data_;                             // on the medium
  std::map<std::uint64_t, std::map<std::string, Name>> names_;            // likewise
};

}  // namespace keyhole::tests
