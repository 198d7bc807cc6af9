#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/disk.h"
#include "studies/snapshot.h"

namespace keyhole::studies {

/// The snapshots of a study, files in its folder that are named after their positions. The two
/// latest are kept. A file that is no snapshot is passed over: the log alone will do.
class Snapshots {
 public:
  /// Those in a folder. The disk must outlive it.
  Snapshots(std::string folder, base::Disk& disk) : folder_(std::move(folder)), disk_(disk) {}

  /// The position of the latest; 0 if there is none.
  [[nodiscard]] std::uint64_t latest() const;
  /// All that can be read, the latest first.
  [[nodiscard]] std::vector<Snapshot> read() const;
  /// Keeps one more. Throws DiskError.
  void keep(const Snapshot& snapshot) const;

 private:
  /// The positions that have a file, the latest first.
  [[nodiscard]] std::vector<std::uint64_t> positions() const;
  [[nodiscard]] std::string path(std::uint64_t position) const;

  std::string folder_;
  base::Disk& disk_;
};

}  // namespace keyhole::studies
