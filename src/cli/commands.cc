#include "cli/commands.h"

#include "cli/study.h"

namespace keyhole::cli {

std::vector<CommandInfo> standard_commands() {
  const OptionInfo format = {
      "--format", "FORMAT", "how the data is printed (default: table)", {"table", "json", "csv"}};
  return {
      {"run",
       "FILE.toml",
       "play problems x learners x repeats; curves, regret, summary",
       {{"--out", "DIR", "where the results go, or go on (default: FILE.results)"},
        {"--threads", "N", "how many threads (default: all processors)"},
        {"--quick", "", "at most 4096 rounds and 2 repeats, in FILE.quick.results"},
        {"--relative", "", "show regret divided by that of staying at the centre"},
        {"--print-config", "", "print the experiment with every default filled in"},
        {"--quiet", "", "no progress on stderr"},
        format},
       run},
      {"list",
       "[NAME]",
       "sets, learners and problems; one kind of them; or one by name",
       {format},
       list},
      {"check",
       "SPEC",
       "what the conformance kit finds about a set: 'simplex(5)'",
       {{"--directions", "N", "how many random directions are tried (default: 200)"},
        {"--seed", "N", "of these directions (default: 1)"},
        format},
       check},
      study_command(),
      {"report",
       "DIR|NAME",
       "make report.html of a directory of results, or of a study",
       {{"--out", "DIR", "where it goes (default: DIR, or NAME.report)"},
        {"--store", "DIR",
         "of a study: folder or postgresql://... (default: $KEYHOLE_STORE or studies)"},
        {"--allow-network", "", "take a folder on a network file system"}},
       report},
      {"completion", "", "print the completion of commands and names for bash", {}, completion},
      {"version", "", "print the version and the revision of the digits", {}, version},
  };
}

}  // namespace keyhole::cli
