// Programs that are asked and told, as learners of an experiment.

#pragma once

#include <atomic>

#include "keyhole/catalogue.h"

namespace keyhole::cli {

/// What the programs of a run have in common.
struct ProgramWatch {
  /// Ends the waiting for them.
  std::atomic<bool> is_over = false;
  /// Whether one has printed more lines than it was asked for: its answers may be those of others.
  std::atomic<bool> said_more = false;
  /// Whether the user was told that one takes long.
  std::atomic<bool> was_told = false;
};

/// The learner `program(command)`: a command of the shell that chooses points. A line of JSON says
/// what is played on, and is not answered; it answers each of the others with a line:
///
///   {"set":"simplex(2)","dimension":2,"low":[0,0],"high":[1,1],"start":[0.5,0.5],"rounds":100,
///    "seed":7}
///   {"ask":1,"told":[]}                                          {"point":[0.4,0.6]}
///   {"ask":2,"told":[{"play":1,"point":[0.4,0.6],"loss":0.3}]}   {"point":[0.5,0.5]}
///   {"recommend":true,"told":[]}                                 {"point":[0.5,0.5]}
///
/// Of a point that is not in the set the nearest is played; where the set cannot project, the last
/// one in it on the way from the centre. "told" has the points that were played. A program that has
/// no better answer to the last line says {}, which stands for the point of the least loss.
///
/// The watch must outlive all of these learners.
[[nodiscard]] SpecEntry program_entry(ProgramWatch& watch);

}  // namespace keyhole::cli
