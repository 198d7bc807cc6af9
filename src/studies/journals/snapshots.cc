#include "studies/journals/snapshots.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <functional>
#include <system_error>

#include "studies/journals/store_disk.h"

namespace keyhole::studies {
namespace {

constexpr std::string_view prefix = "snapshot-";

}  // namespace

std::vector<std::uint64_t> FileSnapshots::positions() const {
  std::vector<std::uint64_t> positions;
  std::vector<std::string> names;
  if (disk_.list(folder_, names) != 0 && errno != ENOENT) {
    throw base::DiskError(folder_ +
                          ": the folder cannot be read: " + std::generic_category().message(errno));
  }
  for (const std::string& name : names) {
    if (!name.starts_with(prefix)) continue;
    std::uint64_t position = 0;
    const char* const last = name.data() + name.size();
    const auto read = std::from_chars(name.data() + prefix.size(), last, position);
    if (read.ec == std::errc() && read.ptr == last) positions.push_back(position);
  }
  std::sort(positions.begin(), positions.end(), std::greater<>());
  return positions;
}

std::string FileSnapshots::path(std::uint64_t position) const {
  return folder_ + "/" + std::string(prefix) + std::to_string(position);
}

std::uint64_t FileSnapshots::latest() const {
  const std::vector<std::uint64_t> all = positions();
  return all.empty() ? 0 : all.front();
}

std::vector<Snapshot> FileSnapshots::read(Unreadable unreadable) const {
  std::vector<Snapshot> result;
  const auto try_to = [&](const auto& read) {
    try {
      read();
    } catch (const base::DiskError&) {
      if (unreadable == Unreadable::refused) throw;
    }
  };
  std::vector<std::uint64_t> all;
  try_to([&] { all = positions(); });
  for (const std::uint64_t position : all) {
    std::optional<std::string> bytes;
    try_to([&] { bytes = base::read_file(disk_, path(position)); });
    auto snapshot = bytes ? read_snapshot(*bytes) : std::nullopt;
    if (snapshot && snapshot->mark.position == position) result.push_back(std::move(*snapshot));
  }
  return result;
}

void FileSnapshots::keep(const Snapshot& snapshot) const {
  const std::uint64_t position = snapshot.mark.position;
  sweep();
  const std::vector<std::uint64_t> before = positions();
  const bool has_old = before.size() >= kept && before.back() < position;
  base::write_file(disk_, path(position), snapshot_bytes(snapshot),
                   has_old ? path(before.back()) : "");
  const std::vector<std::uint64_t> all = positions();
  for (std::size_t k = kept; k < all.size(); ++k) (void)disk_.remove(path(all[k]));
}

void FileSnapshots::sweep() const {
  std::vector<std::string> names;
  (void)disk_.list(folder_, names);
  for (const std::string& name : names) {
    const std::string path = folder_ + "/" + name;
    const bool is_ours = name.starts_with(prefix) || name.starts_with("label.");
    const bool is_half_written = is_ours && name.ends_with(".tmp");
    if (is_half_written && is_left_behind(disk_, path)) (void)disk_.remove(path);
  }
}

}  // namespace keyhole::studies
