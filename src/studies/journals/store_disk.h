#pragma once

#include "base/disk.h"

namespace keyhole::studies {

/// The disk of all stores.
[[nodiscard]] base::Disk& store_disk();

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
