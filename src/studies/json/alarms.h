#pragma once

#include <string>
#include <vector>

#include "keyhole/study.h"
#include "studies/json/tight_bounds.h"

namespace keyhole::studies {

/// "1 play", "2 plays", "2 losses".
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& what);

/// "better by 0.41 +- 0.06 (95 %, whenever you look), proven since play 349; 10 % of plays pay for
/// this": what a coin has shown. Empty without one.
[[nodiscard]] std::string proof_text(const Proof& proof);

/// "after play 100: 98 losses taught, 2 dropped": where a study was changed.
[[nodiscard]] std::string change_text(const StudyChange& change);

/// "10 ms more would save 0.3 a round": what a limit costs. Empty if it is not known.
[[nodiscard]] std::string price_text(const SpaceLimit& limit, const LimitStatus& status,
                                     bool maximize);

/// "at most 200 ms, lately 183, 1.2 % over; believed to be 195 +- 2 where recommended; 10 ms more
/// would save 0.3 a round": how a limit is kept. What is not known is left out.
[[nodiscard]] std::string limit_text(const SpaceLimit& limit, const LimitStatus& status,
                                     bool maximize);

/// What somebody should look at, a sentence each. Feedback that is lost is, at more than a tenth of
/// the plays.
[[nodiscard]] std::vector<std::string> alarms_of(const Summary& summary, const Status& status,
                                                 const LearnerOptions& options,
                                                 const std::vector<TightBound>& bounds,
                                                 const std::vector<SpaceLimit>& limits = {});

}  // namespace keyhole::studies
