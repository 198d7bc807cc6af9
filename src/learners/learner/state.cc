#include "keyhole/state.h"

#include <string_view>
#include <utility>

#include "base/hash.h"
#include "keyhole/version.h"

namespace keyhole {
namespace {

constexpr std::uint64_t magic = 0x0a45544154'53484bULL;  // the bytes "KHSTATE\n"
constexpr std::uint64_t cut_specs = 1;                   // the format of revision 4
constexpr std::uint64_t format_version = 2;
constexpr std::size_t checksum_size = 8;

// Revision 4 cut specs after so many characters, and ended those of learners that maximize in a way
// that no spec can say.
constexpr std::size_t cut_after = 200;
constexpr std::string_view maximize = ", maximize=true)";
constexpr std::string_view maximize_of_4 = ", maximize)";

/// The text with another end, if it has this one.
std::string with_end(std::string text, std::string_view end, std::string_view other) {
  if (text.ends_with(end)) text.replace(text.size() - end.size(), end.size(), other);
  return text;
}

}  // namespace

std::uint64_t State::fingerprint(const std::string& spec) {
  return base::fnv1a(std::as_bytes(std::span(spec)));
}

bool State::is_of_learner(const std::string& spec) const {
  return header_.learner_fingerprint ==
         fingerprint(revision() == 4 ? with_end(spec, maximize, maximize_of_4) : spec);
}

std::span<const std::byte> State::bytes() const& noexcept { return bytes_; }

// gcc does not see the pragma of the header for a friend that only its class declares.
[[gnu::visibility("default")]] bool operator==(const State& a, const State& b) noexcept {
  return a.bytes_ == b.bytes_;
}

void State::Header::fields(Archive& archive) {
  archive.field(magic);
  archive.field(format);
  archive.field(size);
  archive.field(revision);
  archive.field(set_fingerprint);
  archive.field(learner_fingerprint);
  archive.field(set_spec);
  archive.field(learner_spec);
}

State State::seal(const std::string& set_spec, const std::string& learner_spec,
                  std::span<const std::byte> fields) {
  State state;
  state.header_ = {keyhole::magic, format_version,        0,
                   trace_revision, fingerprint(set_spec), fingerprint(learner_spec),
                   set_spec,       learner_spec};
  const auto write_header = [&] {
    Archive archive;
    state.header_.fields(archive);
    return std::move(archive).take();
  };
  state.header_size_ = write_header().size();
  state.header_.size = state.header_size_ + fields.size() + checksum_size;
  state.bytes_ = write_header();
  state.bytes_.insert(state.bytes_.end(), fields.begin(), fields.end());

  Archive tail;
  std::uint64_t checksum = base::fnv1a(state.bytes_);
  tail.field(checksum);
  const auto checksum_bytes = std::move(tail).take();
  state.bytes_.insert(state.bytes_.end(), checksum_bytes.begin(), checksum_bytes.end());
  return state;
}

State State::from_bytes(std::span<const std::byte> bytes) {
  // What can be said of bytes that are no sound state, in the order in which it is known.
  Archive archive(bytes);
  Header header;
  archive.field(header.magic);
  if (header.magic != keyhole::magic) throw StateError("these bytes are not a Keyhole state");
  archive.field(header.format);
  if (header.format < cut_specs || header.format > format_version) {
    throw StateError("the state has format " + std::to_string(header.format) +
                         ", and this version of Keyhole reads formats up to " +
                         std::to_string(format_version),
                     ErrorCode::newer_state);
  }
  archive.field(header.size);
  if (header.size != bytes.size()) {
    throw StateError("the state is truncated or has something added: it should have " +
                     std::to_string(header.size) + " bytes, not " + std::to_string(bytes.size()));
  }
  const auto before_checksum = bytes.first(bytes.size() - checksum_size);
  Archive tail(bytes.last(checksum_size));
  std::uint64_t checksum = 0;
  tail.field(checksum);
  if (checksum != base::fnv1a(before_checksum)) {
    throw StateError("the state has been altered: its checksum does not fit");
  }

  State state;
  Archive whole(before_checksum);
  state.header_.fields(whole);
  if ((state.header_.format == cut_specs) != (state.header_.revision <= 4)) {
    throw StateError("the state's format and trace revision do not belong together");
  }
  if (state.header_.format == cut_specs) {
    for (std::string* spec : {&state.header_.set_spec, &state.header_.learner_spec}) {
      if (spec->size() == cut_after) *spec += "...";
    }
    state.header_.learner_spec = with_end(state.header_.learner_spec, maximize_of_4, maximize);
  }
  state.header_size_ = before_checksum.size() - whole.left();
  state.bytes_.assign(bytes.begin(), bytes.end());
  return state;
}

std::span<const std::byte> State::payload() const noexcept {
  return bytes().subspan(header_size_, bytes_.size() - header_size_ - checksum_size);
}

std::uint64_t State::hash() const noexcept { return base::fnv1a(bytes_); }

}  // namespace keyhole
