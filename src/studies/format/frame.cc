#include "studies/format/frame.h"

#include <algorithm>

#include "studies/format/bytes.h"
#include "studies/format/crc32c.h"
#include "studies/format/events.h"

namespace keyhole::studies {
namespace {

constexpr std::size_t seal_size = 8;
constexpr std::size_t checksum_size = 4;

std::uint32_t checksum(std::uint64_t position, std::string_view head_and_content) {
  std::string place;
  put_bytes(place, position, 8);
  return crc32c(head_and_content, crc32c(place));
}

/// A frame whose seal or checksum was not looked at.
struct Shape {
  std::uint64_t gap = 0;
  std::string_view content = {};
  std::string_view covered = {};  // by the seal
  std::string_view rest = {};
};

std::optional<Shape> shape_of(std::string_view bytes, std::uint64_t position) {
  Taker taker(bytes);
  const auto length = taker.number();
  const auto gap = taker.number();
  if (!length || !gap || *length > longest_content || *gap > position) return {};
  const auto content = taker.text(*length);
  if (!content) return {};
  return Shape{*gap, *content, bytes.substr(0, bytes.size() - taker.rest().size()), taker.rest()};
}

std::optional<Frame> sealed_frame(const Shape& shape, const Mark& mark) {
  const std::uint64_t seal = sealed(mark.seal, shape.covered);
  if (Taker(shape.rest).fixed(seal_size) != seal) return {};
  return Frame{{mark.position + shape.covered.size() + seal_size, seal, true},
               mark.position - shape.gap,
               shape.content};
}

/// The mark behind a frame of format 1 that has these bytes. Behind the last one the seal is the
/// end of the frame: so the 8 bytes before a mark in a part of format 2 are always its seal.
Mark behind_format_1(const Mark& mark, std::string_view frame, std::string_view covered,
                     std::string_view content) {
  Mark end{mark.position + frame.size(), sealed(mark.seal, covered), seal_in(content).has_value()};
  if (end.is_sealed) end.seal = *Taker(frame.substr(frame.size() - seal_size)).fixed(seal_size);
  return end;
}

std::optional<Frame> frame_of_format_1(const Shape& shape, const Mark& mark) {
  if (Taker(shape.rest).fixed(checksum_size) != checksum(mark.position, shape.covered)) return {};
  const std::string_view frame(shape.covered.data(), shape.covered.size() + checksum_size);
  return Frame{behind_format_1(mark, frame, shape.covered, shape.content),
               mark.position - shape.gap, shape.content};
}

/// A whole frame among bytes of which not all can be read. Most bytes do not begin one; that they
/// say nothing is seen without looking at all of them.
std::optional<Frame> frame_among(std::string_view bytes, std::size_t at, const Mark& begin) {
  Mark mark{.position = begin.position + at};
  const auto shape = shape_of(bytes.substr(at), mark.position);
  if (!shape || !is_event(shape->content)) return {};
  if (at >= seal_size) {
    mark.seal = *Taker(bytes.substr(at - seal_size)).fixed(seal_size);
    if (const auto frame = sealed_frame(*shape, mark)) return frame;
  }
  if (begin.is_sealed && begin.position > 0) return {};
  return frame_of_format_1(*shape, mark);
}

/// Whether a power cut can have left these bytes before the next whole frame: a medium writes whole
/// sectors, so that one that was lost has nothing but zeros behind what was there before.
bool looks_lost(std::string_view bytes, std::uint64_t position) {
  constexpr std::uint64_t sector = 512;
  for (std::uint64_t size = sector - position % sector; size <= bytes.size(); size = sector) {
    if (bytes.substr(0, size).find_first_not_of('\0') == std::string_view::npos) return true;
    bytes.remove_prefix(size);
  }
  return false;
}

}  // namespace

std::string frame_bytes(Mark& mark, std::uint64_t hardened, std::string_view content) {
  std::string bytes;
  constexpr std::size_t longest_number = 10;
  bytes.reserve(2 * longest_number + content.size() + seal_size);
  put_number(bytes, content.size());
  put_number(bytes, mark.position - hardened);
  bytes += content;
  if (!mark.is_sealed) {
    const std::size_t covered = bytes.size();
    put_bytes(bytes, checksum(mark.position, bytes), checksum_size);
    mark = behind_format_1(mark, bytes, std::string_view{bytes}.substr(0, covered), content);
    return bytes;
  }
  const std::uint64_t seal = sealed(mark.seal, bytes);
  put_bytes(bytes, seal, seal_size);
  mark = {mark.position + bytes.size(), seal, true};
  return bytes;
}

std::optional<Frame> read_frame(std::string_view bytes, const Mark& mark) {
  const auto shape = shape_of(bytes, mark.position);
  if (!shape) return {};
  if (mark.is_sealed) {
    const auto frame = sealed_frame(*shape, mark);
    if (frame || mark.position > 0) return frame;
  }
  return frame_of_format_1(*shape, mark);
}

Mark first_mark_of_format_1() { return {.is_sealed = false}; }

Fault fault_at(std::string_view bytes, const Mark& mark) {
  // Blocks that are not on the medium yet can be lost in any order, so that a whole frame behind a
  // bad one proves nothing by itself. One that says that the medium had the bad one does.
  bool follows = false;
  for (std::size_t at = 1; at < bytes.size();) {
    const auto frame = frame_among(bytes, at, mark);
    if (frame) {
      if (frame->hardened > mark.position) return Fault::damaged;
      if (!follows && !looks_lost(bytes.substr(0, at), mark.position)) return Fault::damaged;
      follows = true;
    }
    at = frame ? frame->end.position - mark.position : at + 1;
  }
  return Fault::torn;
}

}  // namespace keyhole::studies
