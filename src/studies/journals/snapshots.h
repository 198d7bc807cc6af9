#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/disk.h"
#include "studies/format/snapshot.h"

namespace keyhole::studies {

/// What becomes of snapshots that are there and that the disk does not give.
enum class Unreadable : std::uint8_t {
  /// The log alone will do.
  passed_over,
  /// It will not: for renewal they may be all that is known, and a copy has none that the study has
  /// not.
  refused,
};

/// The snapshots of a study. The two latest are kept. What is no snapshot is passed over.
class Snapshots {
 public:
  /// How many are kept.
  static constexpr std::size_t kept = 2;

  Snapshots() = default;
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;
  virtual ~Snapshots() = default;

  /// The position of the latest; 0 if there is none.
  [[nodiscard]] virtual std::uint64_t latest() const = 0;
  /// All of them, the latest first. Throws DiskError for what is to be refused.
  [[nodiscard]] virtual std::vector<Snapshot> read(Unreadable unreadable) const = 0;
  /// Keeps one more. Throws DiskError.
  virtual void keep(const Snapshot& snapshot) const = 0;
};

/// Files in the folder of the study, which are named after their positions.
class FileSnapshots final : public Snapshots {
 public:
  /// Those in a folder. The disk must outlive it.
  FileSnapshots(std::string folder, base::Disk& disk) : folder_(std::move(folder)), disk_(disk) {}

  [[nodiscard]] std::uint64_t latest() const override;
  [[nodiscard]] std::vector<Snapshot> read(Unreadable unreadable) const override;
  void keep(const Snapshot& snapshot) const override;

 private:
  /// The positions that have a file, the latest first. Throws DiskError.
  [[nodiscard]] std::vector<std::uint64_t> positions() const;
  [[nodiscard]] std::string path(std::uint64_t position) const;
  /// Removes what kills have left behind.
  void sweep() const;

  std::string folder_;
  base::Disk& disk_;
};

}  // namespace keyhole::studies
