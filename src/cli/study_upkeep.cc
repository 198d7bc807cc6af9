// keyhole study copy, renew, pause and resume.

#include <iostream>

#include "cli/parse.h"
#include "cli/study.h"

namespace keyhole::cli {
namespace {

const char* sentence(Renewal renewal) {
  switch (renewal) {
    case Renewal::not_needed:
      return "it is of this version: nothing was done";
    case Renewal::what_was_learned:
      return "it goes on with what was learned";
    case Renewal::recommendation:
      return "a new learner starts at what was recommended in its latest snapshot";
    case Renewal::nothing:
      return "a new learner starts: nothing that was learned could be kept";
  }
  return "";
}

}  // namespace

int study_copy(const Arguments& arguments, const Program& program) {
  if (!arguments.has("--to")) throw UsageError("study copy needs --to=DIR, the other store");
  the_store(arguments, program)
      .copy(arguments.word(0), store_in(arguments.get("--to", ""), arguments, program));
  return 0;
}

int study_renew(const Arguments& arguments, const Program& program) {
  std::cout << sentence(the_store(arguments, program).renew(arguments.word(0))) << "\n";
  return 0;
}

int study_pause(const Arguments& arguments, const Program& program) {
  the_study(arguments, program).explore(false);
  return 0;
}

int study_resume(const Arguments& arguments, const Program& program) {
  the_study(arguments, program).explore(true);
  return 0;
}

}  // namespace keyhole::cli
