#include "service/log_file.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace keyhole::service {

LogFile::LogFile(std::string path) : path_(std::move(path)), file_(open()) {
  if (file_ < 0) {
    throw base::DiskError(path_ + ": cannot be opened: " + std::generic_category().message(errno));
  }
}

LogFile::~LogFile() {
  if (file_ != STDOUT_FILENO) ::close(file_);
}

int LogFile::open() {
  if (path_ == "-") return STDOUT_FILENO;
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) {
    const int made = disk_.create(path_);
    if (made >= 0) ::close(made);
  }
  return disk_.open_log(path_);
}

void LogFile::write(const std::string& line) {
  const std::string text = line + "\n";
  (void)disk_.write(file_, text.data(), text.size());
}

void LogFile::open_again() {
  const int file = open();
  if (file < 0 || file == file_) return;
  if (file_ != STDOUT_FILENO) ::close(file_);
  file_ = file;
}

}  // namespace keyhole::service
