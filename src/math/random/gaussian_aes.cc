// Normal numbers with the processor's AES instructions: see aes_blocks.h for what that asks of this
// file.

#include "math/lanes.h"
#include "math/random/aes_blocks.h"
#include "math/random/ars_kernels.h"
#include "math/random/gaussian_kernels.h"
#include "math/random/ziggurat.h"

namespace keyhole::math {

#if defined(KEYHOLE_AES)

namespace {

// The blocks of a group of lanes on their way through the rounds, from counters that differ in
// their lowest byte only. So do then the states before the first round, and after it, which mixes
// columns of four bytes, in the first column only: that is looked up, and what the other bytes give
// is added to the next key.
class Blocks {
 public:
  // The lowest byte of `first` must be 0.
  [[gnu::always_inline]] Blocks(const std::uint64_t* round_keys, std::uint64_t id,
                                std::uint64_t first)
      : lowest_(round_keys[0] & 0xFF) {
    for (int i = 0; i <= ars_rounds; ++i) key_[i] = load_lanes<Words>(round_keys + 2 * i);
    const Words state = full_round(begin(Words{first, id}, key_[0]), key_[0], Words{});
    key_[1] ^= state ^ column_of(0);
  }

  // The state after the first round, of the counters first + block + j.
  [[gnu::always_inline]] void start(std::uint64_t block) {
    for (unsigned j = 0; j < width; ++j) s_[j] = begin(column_of(block ^ j), key_[1]);
  }
  [[gnu::always_inline]] void round(int i) {
    for (Words& s : s_) s = full_round(s, key_[i - 1], key_[i]);
  }
  [[gnu::always_inline]] void finish(std::uint64_t* words) {
    for (unsigned j = 0; j < width; ++j) {
      store_lanes(words + 2 * j, last_round(s_[j], key_[ars_rounds - 1], key_[ars_rounds]));
    }
  }

  static constexpr unsigned width = lanes_in_group / 2;

 private:
  [[gnu::always_inline]] Words column_of(std::uint64_t byte) const {
    return Words{ars_first_columns[byte ^ lowest_], 0};
  }

  std::uint64_t lowest_;
  Words key_[ars_rounds + 1];
  Words s_[width];
};

// The rounds of the next group stand between the steps of this one: they take turns in the
// program's order because the processor looks ahead by little more than one group of either, and
// the units that the one leaves idle do the other.
std::uint64_t gaussian_with_instructions(ZigguratTables tables, const std::uint64_t* round_keys,
                                         std::uint64_t id, std::uint64_t first, std::size_t groups,
                                         std::uint64_t* __restrict bits, double* __restrict z,
                                         double* last) noexcept {
  static_assert(ars_rounds == 7 && lanes_in_group == 8);
  Blocks blocks(round_keys, id, first);
  blocks.start(0);
  for (int i = 2; i < ars_rounds; ++i) blocks.round(i);
  blocks.finish(bits);
  std::uint64_t rejected = 0;
  std::size_t group = 0;
  for (; group + 1 < groups; ++group) {
    LanePair a;
    LanePair b;
    blocks.start((group + 1) * Blocks::width);
    a.read(bits);
    b.read(bits + 2);
    blocks.round(2);
    a.look_up(tables);
    b.look_up(tables);
    blocks.round(3);
    std::int64_t room = a.write(z) | b.write(z + 2);
    a.read(bits + 4);
    b.read(bits + 6);
    blocks.round(4);
    a.look_up(tables);
    b.look_up(tables);
    blocks.round(5);
    room |= a.write(z + 4) | b.write(z + 6);
    blocks.round(6);
    bits += lanes_in_group;
    z += lanes_in_group;
    blocks.finish(bits);
    rejected |= (static_cast<std::uint64_t>(room) >> 63) << group;
  }
  return rejected | (static_cast<std::uint64_t>(scale_group(tables, bits, last)) >> 63) << group;
}

}  // namespace

extern const GaussianKernel gaussian_hardware = &gaussian_with_instructions;

#else

extern const GaussianKernel gaussian_hardware = nullptr;

#endif

}  // namespace keyhole::math
