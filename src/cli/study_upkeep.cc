// keyhole study change, copy, renew, prove, pause and resume, and keyhole store copy.

#include <iostream>
#include <optional>

#include "base/disk.h"
#include "base/number_text.h"
#include "cli/parse.h"
#include "cli/space_file.h"
#include "cli/study.h"
#include "cli/study_text.h"
#include "keyhole/client.h"
#include "studies/json/alarms.h"

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

/// The token in a file.
std::string token_in(const std::string& file) {
  const auto text = base::read_file(file);
  if (!text) throw InputError("there is no file '" + file + "' with a token");
  return text->substr(0, text->find_first_of(" \r\n"));
}

/// The store that --to names.
Store other_store(const Arguments& arguments, const Program& program) {
  if (!arguments.has("--to")) throw UsageError("copy needs --to=DIR, the other store");
  return store_in(arguments.get("--to", ""), arguments, program);
}

}  // namespace

int study_change(const Arguments& arguments, const Program& program) {
  if (!arguments.has("--space")) throw UsageError("study change needs --space=FILE.toml");
  const SpaceFile file = read_space_file(arguments.get("--space", ""));
  const StudyChange change =
      the_store(arguments, program).change(arguments.word(0), file.space, file.start);
  print_sheet({{"learned", change.learned}, {"dropped", change.dropped}},
              arguments.get("--format", "text"));
  return 0;
}

int study_copy(const Arguments& arguments, const Program& program) {
  const std::string to = arguments.get("--to", "");
  const Store from = the_store(arguments, program);
  if (to.starts_with("http://") || to.starts_with("https://")) {
    ClientOptions options{.ca = arguments.get("--ca", "")};
    if (arguments.has("--token-file")) options.token = token_in(arguments.get("--token-file", ""));
    Client(to, options).copy(from, arguments.word(0));
  } else {
    for (const char* option : {"--token-file", "--ca"}) {
      if (arguments.has(option)) {
        throw UsageError(std::string(option) + " is for a copy to a service: --to=https://...");
      }
    }
    from.copy(arguments.word(0), other_store(arguments, program));
  }
  return 0;
}

int store_copy(const Arguments& arguments, const Program& program) {
  const StoreCopy done = the_store(arguments, program).copy_all(other_store(arguments, program));
  print_sheet({{"copied", done.copied}, {"there", done.there}, {"failed", done.failures.size()}},
              arguments.get("--format", "text"));
  for (const std::string& failure : done.failures) {
    std::cerr << program.name << ": " << failure << "\n";
  }
  return done.failures.empty() ? 0 : 1;
}

int study_renew(const Arguments& arguments, const Program& program) {
  const bool dry_run = arguments.has("--dry-run");
  std::cout << (dry_run ? "a dry run: " : "")
            << sentence(the_store(arguments, program).renew(arguments.word(0), dry_run)) << "\n";
  return 0;
}

int study_prove(const Arguments& arguments, const Program& program) {
  const std::string text = arguments.get("--share", "0.1");
  const std::optional<double> share = base::read_number(text);
  if (!share) throw UsageError("--share must be a number, not '" + text + "'");
  Study study = the_study(arguments, program);
  study.prove(*share);
  const std::string says = studies::proof_text(study.status().proof);
  std::cout << (says.empty() ? "no play is made at the start any more" : says) << "\n";
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
