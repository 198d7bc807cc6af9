// A history of a study whose losses change after half of the plays.

#pragma once

#include <cmath>

#include "report/study.h"

namespace keyhole::tests {

/// 400 plays, the last two of which were not told; a restart before play 201. The loss is 1 plus
/// the distance, and 3 more after the restart; each fourth play is at the recommendation.
inline report::StudyHistory sample_history() {
  report::StudyHistory history{.name = "<sample>",
                               .facts = {{"seed", "7"}},
                               .restarts = {201},
                               .deployed = {.title = "What to deploy",
                                            .header = {{"name"}, {"recommended", true}},
                                            .rows = {{{"wait"}, {"50"}}, {{"batch"}, {"32"}}}},
                               .counts = {.title = "What became of the plays",
                                          .header = {{"what"}, {"how many", true}},
                                          .rows = {{{"plays asked for"}, {"400"}}}}};
  for (int play = 1; play <= 400; ++play) {
    report::StudyPoint point{.distance = 0.1 * (play % 4)};
    if (play <= 398) {
      point.loss = 1 + point.distance + (play > 200 ? 3 : 0);
      point.delay = play % 4;
    }
    history.plays.push_back(point);
  }
  for (const char* const name : {"wait", "batch"}) {
    report::Series series{.name = name};
    for (int play = 1; play <= 400; play += 7) {
      const double place = 0.5 + 0.4 * std::sin(0.02 * play + (name[0] == 'w' ? 0 : 1));
      series.points.push_back({static_cast<double>(play), place});
    }
    history.recommended.push_back(series);
  }
  return history;
}

}  // namespace keyhole::tests
