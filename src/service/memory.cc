#include "service/memory.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/disk.h"
#include "base/number_text.h"
#include "service/problem.h"

namespace keyhole::service {
namespace {

/// The text of a file of the system; empty where it cannot be read, as without a free descriptor.
std::string system_text(const std::string& file) {
  try {
    return base::read_file(file).value_or("");
  } catch (const base::DiskError&) {
    return "";
  }
}

std::uint64_t half_of_machine() {
  std::uint64_t bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::string limit = system_text("/sys/fs/cgroup/memory.max");
  if (limit.ends_with('\n')) limit.pop_back();
  bytes = std::min(bytes, base::read_whole_number(limit).value_or(bytes));
  return bytes / 2;
}

}  // namespace

Memory::Memory(std::uint64_t most) : most_(most > 0 ? most : half_of_machine()) {}

std::shared_ptr<void> Memory::take(std::uint64_t bytes) {
  const std::uint64_t before = taken_.fetch_add(bytes);
  std::shared_ptr<void> taken(nullptr, [this, bytes](void*) { taken_ -= bytes; });
  if (bytes > most_ / 4 - std::min(most_ / 4, before)) {
    throw Problem(503, "memory",
                  "bodies and answers on their way have used up their memory: try again, or ask "
                  "whoever runs the service to raise --memory");
  }
  return taken;
}

bool Memory::is_full() const {
  const auto is_over = [&] { return resident() > most_ / 4 * 3; };
  if (!is_over()) return false;
  (void)::malloc_trim(0);  // gives back what is free
  return is_over();
}

std::uint64_t Memory::resident() {
  constexpr std::string_view key = "VmRSS:";
  constexpr std::uint64_t kilo = 1024;
  const std::string text = system_text("/proc/self/status");
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return 0;
  return kilo * std::strtoull(text.c_str() + at + key.size(), nullptr, 10);
}

}  // namespace keyhole::service
