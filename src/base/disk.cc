#include "base/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

namespace keyhole::base {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, int error) {
  throw DiskError(path + ": " + what + ": " + std::generic_category().message(error));
}

/// A file whose number is none of those of the standard streams: where a process has closed one of
/// these, what it says there would be written into the file.
int beside_streams(int file) {
  if (file < 0 || file > STDERR_FILENO) return file;
  const int other = ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(file);
  errno = error;
  return other;
}

/// An open file, closed at the end.
class File {
 public:
  File(Disk& disk, int number) : disk_(disk), number_(number) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    const int error = errno;  // of what has failed
    if (is_open()) disk_.close(number_);
    errno = error;
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  Disk& disk_;
  int number_;
};

/// Whether it is on the medium; else errno says why not. The file may be there, with other bytes.
bool write_and_sync(Disk& disk, const std::string& path, bool is_there, std::string_view text) {
  const File file(disk, is_there ? disk.open(path, Access::writing) : disk.create(path));
  return file.is_open() && write_all(disk, file.number(), text, 0) &&
         (!is_there || disk.truncate(file.number(), text.size()) == 0) &&
         disk.sync(file.number()) == 0;
}

}  // namespace

int Disk::create(const std::string& path) {
  return beside_streams(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}

int Disk::open(const std::string& path, Access access) {
  constexpr std::array modes = {O_RDONLY, O_RDWR, O_WRONLY | O_APPEND | O_CREAT};
  return beside_streams(
      ::open(path.c_str(), modes[static_cast<std::size_t>(access)] | O_CLOEXEC, 0666));
}

void Disk::close(int file) { ::close(file); }

std::ptrdiff_t Disk::read(int file, char* bytes, std::size_t count, std::uint64_t from) {
  return ::pread(file, bytes, count, static_cast<off_t>(from));
}

std::ptrdiff_t Disk::write(int file, const char* bytes, std::size_t count, std::uint64_t from) {
  return ::pwrite(file, bytes, count, static_cast<off_t>(from));
}

int Disk::sync(int file) { return ::fsync(file); }

int Disk::sync_data(int file) { return ::fdatasync(file); }

int Disk::truncate(int file, std::uint64_t size) {
  return ::ftruncate(file, static_cast<off_t>(size));
}

int Disk::lock(int file) { return ::flock(file, LOCK_EX | LOCK_NB); }

int Disk::unlock(int file) { return ::flock(file, LOCK_UN); }

int Disk::rename(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str());
}

int Disk::make_folder(const std::string& path) { return ::mkdir(path.c_str(), 0777); }

int Disk::remove(const std::string& path) { return std::remove(path.c_str()); }

int Disk::list(const std::string& folder, std::vector<std::string>& names) {
  const std::unique_ptr<DIR, void (*)(DIR*)> entries(::opendir(folder.c_str()),
                                                     [](DIR* open) { ::closedir(open); });
  if (entries == nullptr) return -1;
  errno = 0;
  while (const dirent* const entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  return errno == 0 ? 0 : -1;
}

int Disk::look(const std::string& path, DiskEntry& entry) {
  constexpr unsigned wanted = STATX_TYPE | STATX_INO | STATX_SIZE;
  struct statx status = {};
  if (::statx(AT_FDCWD, path.c_str(), 0, wanted, &status) != 0) return -1;
  entry = {.device = std::uint64_t{status.stx_dev_major} << 32U | status.stx_dev_minor,
           .number = status.stx_ino,
           .size = status.stx_size,
           .is_file = S_ISREG(status.stx_mode)};
  return 0;
}

int Disk::look_when_changed(const std::string& path, std::int64_t& seconds) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return -1;
  seconds = status.st_ctime;
  return 0;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  return name.data();
}

bool write_all(Disk& disk, int file, std::string_view bytes, std::uint64_t from) {
  while (!bytes.empty()) {
    const std::ptrdiff_t count = disk.write(file, bytes.data(), bytes.size(), from);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = ENOSPC;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    from += static_cast<std::uint64_t>(count);
  }
  return true;
}

bool read_all(Disk& disk, int file, std::uint64_t from, std::uint64_t count, std::string& bytes) {
  // Most files are small, and some are read each second.
  constexpr std::uint64_t most = std::uint64_t{1} << 20U;
  std::uint64_t part = std::uint64_t{1} << 14U;
  const std::size_t begin = bytes.size();
  std::uint64_t done = 0;
  for (; done < count; part = std::min(2 * part, most)) {
    const std::uint64_t wanted = std::min(part, count - done);
    bytes.resize(begin + done + wanted);
    const std::ptrdiff_t got = disk.read(file, bytes.data() + begin + done, wanted, from + done);
    if (got > 0) done += static_cast<std::uint64_t>(got);
    bytes.resize(begin + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
  }
  return true;
}

void write_file(Disk& disk, const std::string& path, const std::string& text,
                const std::string& not_needed) {
  static std::atomic<std::uint64_t> count = 0;
  const std::string temporary = path + "." + host_name() + "." + std::to_string(::getpid()) + "." +
                                std::to_string(++count) + ".tmp";
  // Of all who want its place, one gets it.
  const bool has_place = !not_needed.empty() && disk.rename(not_needed, temporary) == 0;
  if (!write_and_sync(disk, temporary, has_place, text) || disk.rename(temporary, path) != 0) {
    const int error = errno;
    (void)disk.remove(temporary);
    fail(path, "cannot be written", error);
  }
  sync_folder(disk, std::filesystem::path(path).parent_path().string());
}

void change_file(const std::string& path,
                 const std::function<std::string(const std::string& text)>& change) {
  constexpr mode_t of_owner = 0600;
  Disk disk;
  while (true) {
    const File file(disk,
                    beside_streams(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, of_owner)));
    struct stat locked = {};
    struct stat named = {};
    if (!file.is_open() || ::flock(file.number(), LOCK_EX) != 0 ||
        ::fstat(file.number(), &locked) != 0) {
      fail(path, "cannot be changed", errno);
    }
    // Whoever had the lock has put another file here.
    if (::stat(path.c_str(), &named) != 0 || named.st_ino != locked.st_ino) continue;
    std::string text;
    if (!read_all(disk, file.number(), 0, UINT64_MAX, text)) fail(path, "cannot be read", errno);
    text = change(text);
    const std::string temporary = path + ".tmp";
    const File made(disk, disk.create(temporary));
    // An owner is kept by who may: others make it theirs.
    const bool is_made =
        made.is_open() && ::fchmod(made.number(), of_owner) == 0 &&
        (::fchown(made.number(), locked.st_uid, locked.st_gid) == 0 || errno == EPERM) &&
        ::fchmod(made.number(), locked.st_mode) == 0 && write_all(disk, made.number(), text, 0) &&
        disk.sync(made.number()) == 0;
    if (!is_made || disk.rename(temporary, path) != 0) {
      const int error = errno;
      (void)disk.remove(temporary);
      fail(path, "cannot be written", error);
    }
    return sync_folder(disk, std::filesystem::path(path).parent_path().string());
  }
}

void sync_folder(Disk& disk, const std::string& path) {
  const File folder(disk, disk.open(path.empty() ? "." : path, Access::reading));
  if (!folder.is_open() || disk.sync(folder.number()) != 0) {
    fail(path, "the folder cannot be written", errno);
  }
}

std::optional<std::string> read_file(Disk& disk, const std::string& path) {
  const File file(disk, disk.open(path, Access::reading));
  if (!file.is_open()) {
    if (errno == ENOENT) return {};
    fail(path, "cannot be read", errno);
  }
  std::string text;
  if (!read_all(disk, file.number(), 0, UINT64_MAX, text)) fail(path, "cannot be read", errno);
  return text;
}

std::optional<std::string> read_file(const std::string& path) {
  Disk disk;
  return read_file(disk, path);
}

}  // namespace keyhole::base
