#include "base/disk.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace keyhole::base {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, int error) {
  throw DiskError(path + ": " + what + ": " + std::generic_category().message(error));
}

/// An open file, closed at the end.
class File {
 public:
  explicit File(int number) : number_(number) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

/// 0, or the errno of what failed.
int write_and_sync(Disk& disk, const std::string& path, std::string_view text) {
  const File file(disk.create(path));
  if (!file.is_open()) return errno;
  while (!text.empty()) {
    const std::ptrdiff_t written = disk.write(file.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return disk.sync(file.number()) == 0 ? 0 : errno;
}

}  // namespace

int Disk::create(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

std::ptrdiff_t Disk::write(int file, const char* bytes, std::size_t count) {
  return ::write(file, bytes, count);
}

int Disk::sync(int file) { return ::fsync(file); }

int Disk::open_log(const std::string& path) {
  return ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
}

int Disk::sync_data(int file) { return ::fdatasync(file); }

int Disk::truncate(int file, std::uint64_t size) {
  return ::ftruncate(file, static_cast<off_t>(size));
}

int Disk::rename(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str());
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  return name.data();
}

void write_file(Disk& disk, const std::string& path, const std::string& text) {
  const std::string temporary =
      path + "." + host_name() + "." + std::to_string(::getpid()) + ".tmp";
  if (const int error = write_and_sync(disk, temporary, text)) {
    ::unlink(temporary.c_str());
    fail(path, "cannot be written", error);
  }
  if (disk.rename(temporary, path) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail(path, "cannot be written", error);
  }
  sync_folder(disk, std::filesystem::path(path).parent_path().string());
}

void sync_folder(Disk& disk, const std::string& path) {
  const File folder(::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!folder.is_open() || disk.sync(folder.number()) != 0) {
    fail(path, "the folder cannot be written", errno);
  }
}

std::optional<std::string> read_file(const std::string& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    if (errno == ENOENT) return {};
    fail(path, "cannot be read", errno);
  }
  std::string text;
  std::array<char, 1 << 14> buffer;
  while (true) {
    const std::ptrdiff_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "cannot be read", errno);
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace keyhole::base
