#include "learners/learner/learner_options.h"

namespace keyhole {

void list_options(OptionVisitor& visit, LearnerOptions& options) {
  const options::Range plays = {1, 0x1p32};
  visit.seed({.key = "seed", .meaning = "same seed, same digits", .always = true}, options.seed);
  visit.seed({.key = "stream", .meaning = "another stream of the seed", .always = true},
             options.stream);
  visit.whole({.key = "window",
               .meaning = "how many of the latest plays can be told",
               .range = plays,
               .always = true},
              options.window);
  visit.whole({"expiry", "how many of them are waited for", plays, "the window"}, options.expiry);
  visit.number(
      {"max_step", "how far a play may be from the one before", ranges::positive, "no limit"},
      options.max_step);
  visit.coordinates({"max_steps", "the same for each coordinate", ranges::positive, "no limit"},
                    options.max_steps);
  visit.flag({"maximize", "gains are told instead of losses"}, options.maximize);
}

}  // namespace keyhole
