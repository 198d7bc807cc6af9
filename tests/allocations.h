#pragma once

// Counts allocations, and lets them fail: the linker puts these in the place of malloc and its kin
// (--wrap, CMakeLists.txt), in the library as well: Eigen allocates by malloc, the standard library
// by operator new. For one file of a program.

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "allocation_count.h"

extern "C" {
void* __real_malloc(std::size_t size);                                   // NOLINT
void* __real_calloc(std::size_t count, std::size_t size);                // NOLINT
void* __real_realloc(void* memory, std::size_t size);                    // NOLINT
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);     // NOLINT
int __real_posix_memalign(void** memory, std::size_t a, std::size_t s);  // NOLINT

void* __wrap_malloc(std::size_t size) {  // NOLINT
  if (keyhole::tests::allocation_fails()) return nullptr;
  return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {  // NOLINT
  if (keyhole::tests::allocation_fails()) return nullptr;
  return __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, std::size_t size) {  // NOLINT
  if (keyhole::tests::allocation_fails()) return nullptr;
  return __real_realloc(memory, size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {  // NOLINT
  if (keyhole::tests::allocation_fails()) return nullptr;
  return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {  // NOLINT
  if (keyhole::tests::allocation_fails()) return ENOMEM;
  return __real_posix_memalign(memory, alignment, size);
}
}

// Counted by malloc. Not inlined, or the compiler takes them for mismatched pairs.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = std::malloc(size)) return memory;  // NOLINT
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size);  // NOLINT
}
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);  // NOLINT
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }  // NOLINT
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);  // NOLINT
}
