#include "service/log_file.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace keyhole::service {

LogFile::LogFile(std::string path) : path_(std::move(path)), file_(open()) {}

LogFile::~LogFile() {
  if (file_ != STDOUT_FILENO) ::close(file_);
}

int LogFile::open() {
  const int file = path_ == "-" ? STDOUT_FILENO : disk_.open(path_, base::Access::appending);
  if (file >= 0) return file;
  throw base::DiskError(path_ + ": cannot be opened: " + std::generic_category().message(errno));
}

void LogFile::write(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(file_, text.data(), text.size()) < 0) return;  // nobody can be told
}

void LogFile::open_again() {
  const int file = open();
  if (file == file_) return;
  if (file_ != STDOUT_FILENO) ::close(file_);
  file_ = file;
}

}  // namespace keyhole::service
