// Any text is a space file or an InputError. The space of one is the space of its JSON, and its
// start is a point of the set.

#include "cli/space_file.h"
#include "fuzz/fuzz.h"
#include "keyhole/error.h"
#include "studies/json/space_json.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace keyhole;  // NOLINT
  const std::string text(data, data + size);
  try {
    const cli::SpaceFile file = cli::parse_space_file(text, "fuzz.toml");
    const std::string json = studies::space_json(file.space).dump();
    tests::promise(studies::read_space(studies::Json::parse(json)) == file.space, json);
    tests::promise(file.space.set()->contains(file.space.point(file.start)), json);
  } catch (const InputError&) {
  }
  return 0;
}
