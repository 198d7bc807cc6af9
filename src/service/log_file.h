#pragma once

#include <string>

#include "base/disk.h"

namespace keyhole::service {

/// Lines at the end of a file, or on stdout for "-". Of one thread.
class LogFile {
 public:
  /// Makes the file if there is none. Throws DiskError.
  explicit LogFile(std::string path);
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile();

  /// Adds a line. What cannot be written is lost: a full disk of logs stops nobody.
  void write(const std::string& line);
  /// Opens it by its name again, after somebody has renamed the file. Throws DiskError if that
  /// fails, and goes on with the one that it has.
  void open_again();

 private:
  [[nodiscard]] int open();

  std::string path_;
  base::Disk disk_;
  int file_ = -1;
};

}  // namespace keyhole::service
