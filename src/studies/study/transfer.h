// The log of a study as bytes, which a copy over a network is made of.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/store.h"
#include "studies/image/description_text.h"

namespace keyhole::studies {

/// A log that leaves a store, and one that comes in.
class Transfer {
 public:
  /// The log of a study: whole frames, and where each ends.
  struct Log {
    std::string bytes;
    std::vector<std::uint64_t> ends;
  };
  /// Throws if a study of that description may not be here.
  using Look = std::function<void(const DescriptionRead& description)>;

  /// Throws StudyError if there is no such study, or if its log is damaged.
  [[nodiscard]] static Log log_of(const Store& store, const std::string& name);

  /// Takes whole frames of a log that begin at byte `from` of it: the first ones make the study,
  /// and others follow what is there. Those that are there already are passed over. Says how long
  /// the log is then. Throws StudyError if there is another log, if it ends before `from`, or if
  /// the frames are not whole. The name must be one.
  static std::uint64_t take(const Store& store, const std::string& name, std::uint64_t from,
                            std::string_view frames, const Look& look);
};

}  // namespace keyhole::studies
