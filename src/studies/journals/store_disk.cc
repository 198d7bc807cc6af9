#include "studies/journals/store_disk.h"

#include <atomic>

namespace keyhole::studies {
namespace {

std::atomic<base::Disk*> instead = nullptr;

}  // namespace

base::Disk& store_disk() {
  static base::Disk real;
  base::Disk* const other = instead;
  return other != nullptr ? *other : real;
}

DiskInstead::DiskInstead(base::Disk& disk) { instead = &disk; }
DiskInstead::~DiskInstead() { instead = nullptr; }

}  // namespace keyhole::studies
