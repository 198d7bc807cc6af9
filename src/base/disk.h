#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "keyhole/error.h"

namespace keyhole::base {

/// A file that cannot be written or read: the message names it and says why.
class DiskError : public Error {
 public:
  explicit DiskError(const std::string& message) : Error(message, ErrorCode::disk) {}
};

/// The one door through which results reach the disk, so that tests can stand in it and fail. Each
/// call is the system's of that name: it returns -1 and sets errno if it fails. Thread-safe.
class Disk {
 public:
  Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  virtual ~Disk() = default;

  /// Opens a new file for writing.
  virtual int create(const std::string& path);
  /// Writes up to that many bytes; returns how many.
  virtual std::ptrdiff_t write(int file, const char* bytes, std::size_t count);
  /// Waits until all of a file, or of a folder's list of files, is on the medium.
  virtual int sync(int file);
  /// Opens a file, which must exist, for reading and for writing at its end.
  virtual int open_log(const std::string& path);
  /// Waits until what a file holds is on the medium, and its size.
  virtual int sync_data(int file);
  /// Cuts a file off behind that many bytes.
  virtual int truncate(int file, std::uint64_t size);
  /// Gives a file another name, in place of the file that had it.
  virtual int rename(const std::string& from, const std::string& to);
};

/// Writes a file so that at every moment, power failures included, either all of it or nothing is
/// there under its name: to another name, `path`.HOST.PROCESS.tmp, to the medium, then renamed. So
/// several processes may write the same file, on several machines. Throws DiskError.
void write_file(Disk& disk, const std::string& path, const std::string& text);

/// What this machine calls itself.
[[nodiscard]] std::string host_name();

/// Waits until a folder's list of files is on the medium; no name is the current folder. Throws
/// DiskError.
void sync_folder(Disk& disk, const std::string& path);

/// The bytes of a file; none if there is no such file. Throws DiskError if it cannot be read.
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

}  // namespace keyhole::base
