#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/error.h"

namespace keyhole::base {

/// A file that cannot be written or read: the message names it and says why.
class DiskError : public Error {
 public:
  explicit DiskError(const std::string& message) : Error(message, ErrorCode::disk) {}
};

/// What a file is to be opened for. One that is appended to is made if there is none.
enum class Access : std::uint8_t { reading, writing, appending };

/// What stands behind a name.
struct DiskEntry {
  /// Which file it is, on which device.
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  /// Its bytes.
  std::uint64_t size = 0;
  bool is_file = false;

  /// Whether it is the same file.
  [[nodiscard]] bool is(const DiskEntry& other) const {
    return device == other.device && number == other.number;
  }
};

/// The one door to the disk, so that tests can stand in it and fail, or forget what was not synced.
/// Each call returns -1 and sets errno if it fails, as the system's do. Thread-safe.
class Disk {
 public:
  Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  virtual ~Disk() = default;

  /// Opens a new file for writing, in place of one of that name.
  virtual int create(const std::string& path);
  /// Opens a file, or a folder for reading.
  virtual int open(const std::string& path, Access access);
  virtual void close(int file);
  /// Reads up to that many bytes from a byte on; returns how many.
  virtual std::ptrdiff_t read(int file, char* bytes, std::size_t count, std::uint64_t from);
  /// Writes up to that many bytes from a byte on; returns how many.
  virtual std::ptrdiff_t write(int file, const char* bytes, std::size_t count, std::uint64_t from);
  /// Waits until all of a file, or of a folder's list of files, is on the medium.
  virtual int sync(int file);
  /// Waits until what a file holds is on the medium, and its size.
  virtual int sync_data(int file);
  /// Cuts a file off behind that many bytes.
  virtual int truncate(int file, std::uint64_t size);
  /// Takes the lock of a file, if nobody has it (else errno is EWOULDBLOCK), or gives it back.
  virtual int lock(int file);
  virtual int unlock(int file);

  /// Gives a file or a folder another name, in place of what had it: a file, or an empty folder.
  virtual int rename(const std::string& from, const std::string& to);
  /// Makes a folder.
  virtual int make_folder(const std::string& path);
  /// Removes a file, or a folder that is empty.
  virtual int remove(const std::string& path);
  /// The names in a folder, in no order.
  virtual int list(const std::string& folder, std::vector<std::string>& names);
  /// What stands behind a name.
  virtual int look(const std::string& path, DiskEntry& entry);
  /// When it was last changed or got its name, in seconds since 1970. Not for each step of a study:
  /// a kernel that was asked for this time makes the next write more precise, and slower by half.
  virtual int look_when_changed(const std::string& path, std::int64_t& seconds);
};

/// Writes a file so that at every moment, power failures included, either all of it or nothing is
/// there under its name: to another name, `path`.HOST.PROCESS.N.tmp, to the medium, then renamed.
/// So several threads and processes may write the same file, on several machines. A file that
/// nobody needs any more may be named: its place on the disk is taken, which is several times
/// faster than to make a file and to remove another. Throws DiskError.
void write_file(Disk& disk, const std::string& path, const std::string& text,
                const std::string& not_needed = {});

/// Changes the text of a file, which is empty if there is none, to change(text). Of processes that
/// do so one is at work at a time. The file keeps its mode and its owner; a new one is for its
/// owner alone. Throws DiskError.
void change_file(const std::string& path,
                 const std::function<std::string(const std::string& text)>& change);

/// What this machine calls itself.
[[nodiscard]] std::string host_name();

/// Waits until a folder's list of files is on the medium; no name is the current folder. Throws
/// DiskError.
void sync_folder(Disk& disk, const std::string& path);

/// Writes all of the bytes from a byte of a file on; false, and errno is set, if not.
[[nodiscard]] bool write_all(Disk& disk, int file, std::string_view bytes, std::uint64_t from);

/// Appends the bytes of a file from a byte on, as far as `count`; false, and errno is set, if they
/// cannot be read.
[[nodiscard]] bool read_all(Disk& disk, int file, std::uint64_t from, std::uint64_t count,
                            std::string& bytes);

/// The bytes of a file; none if there is no such file. Throws DiskError if it cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);
[[nodiscard]] std::optional<std::string> read_file(Disk& disk, const std::string& path);

}  // namespace keyhole::base
