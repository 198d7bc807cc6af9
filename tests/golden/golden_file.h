#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "keyhole/state.h"

namespace keyhole::tests {

/// The state in a file under tests/golden.
inline State golden_file(const std::string& name) {
  const std::string path = std::string(KEYHOLE_SOURCE_DIR) + "/tests/golden/" + name;
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  const std::string content((std::istreambuf_iterator<char>(file)), {});
  return State::from_bytes(std::as_bytes(std::span(content)));
}

}  // namespace keyhole::tests
