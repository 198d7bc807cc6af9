#pragma once

// Files for the tests: small ones written on the spot, and real data where there is some.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace keyhole::tests {

/// A file with this text, in the folder for temporary files; removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text, const std::string& name = "table.csv")
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ("keyhole-" + std::to_string(getpid()) + "-" + std::to_string(next_number()))) {
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / name).string();
    std::ofstream(path_, std::ios::binary) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string folder() const { return folder_.string(); }

 private:
  static int next_number() {
    static int number = 0;
    return number++;
  }

  std::filesystem::path folder_;
  std::string path_;
};

/// A file of real data: in the folder that KEYHOLE_DATA names, else next to the source. The files
/// are no part of the project; tests that need one are skipped where it is absent.
inline std::optional<std::string> data_file(const std::string& name) {
  const char* folder = std::getenv("KEYHOLE_DATA");
  const std::string path =
      (folder != nullptr ? std::string(folder) : KEYHOLE_SOURCE_DIR "/../shared/data") + "/" + name;
  if (std::filesystem::exists(path)) return path;
  return std::nullopt;
}

}  // namespace keyhole::tests

/// Defines `path` as that of a file of real data, or skips the test.
#define KEYHOLE_DATA_FILE_OR_SKIP(path, name)                                                \
  const auto path##_if_any = keyhole::tests::data_file(name);                                \
  if (!path##_if_any) GTEST_SKIP() << "no " << (name) << ": set KEYHOLE_DATA to its folder"; \
  const std::string& path = *path##_if_any
