#pragma once

#include "base/disk.h"

namespace keyhole::studies {

/// The disk of all stores.
[[nodiscard]] base::Disk& store_disk();

/// Whether a file or a folder that somebody made in order to give it another name is what a kill
/// has left behind: it was not changed for an hour, nor got its name in that time.
[[nodiscard]] bool is_left_behind(base::Disk& disk, const std::string& path);

/// Puts another disk in its place while it lives, so that tests can fail at every call. Studies
/// that were opened before keep theirs.
class DiskInstead {
 public:
  explicit DiskInstead(base::Disk& disk);
  DiskInstead(const DiskInstead&) = delete;
  DiskInstead& operator=(const DiskInstead&) = delete;
  ~DiskInstead();
};

}  // namespace keyhole::studies
