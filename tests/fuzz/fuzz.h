#pragma once

// What the fuzz targets share. A target must not crash, and must not break a promise: a broken one
// aborts, which the fuzzer reports.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

/// One input: what libFuzzer calls, and what replay.cc calls for every file of a corpus.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace keyhole::tests {

/// Aborts with the message unless the promise is kept.
inline void promise(bool kept, const std::string& message) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", message.c_str());
  std::abort();
}

}  // namespace keyhole::tests
