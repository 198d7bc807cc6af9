// States in files: `learners`, which makes them, does no input or output.

#include <optional>
#include <span>

#include "base/disk.h"
#include "keyhole/error.h"
#include "keyhole/state.h"

namespace keyhole {

State State::read(const std::string& path) {
  const std::optional<std::string> bytes = base::read_file(path);
  if (!bytes) throw InputError(path + ": there is no such file");
  try {
    return from_bytes(std::as_bytes(std::span(*bytes)));
  } catch (const StateError& error) {
    throw StateError(path + ": " + error.what(), error.code());
  }
}

void State::write(const std::string& path) const {
  base::Disk disk;
  base::write_file(disk, path, {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
}

}  // namespace keyhole
