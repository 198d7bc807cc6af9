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
        {"--slice", "k/N", "only these units, while other processes do the others; or slurm"},
        {"--trial", "", "only find out who is too slow ('slowest'): once, before slices"},
        {"--merge", "", "only make the results, when all slices are done"},
        {"--watch", "", "only show how far the processes are that run it"},
        {"--print-config", "", "print the experiment with every default filled in"},
        {"--quiet", "", "no progress on stderr"},
        format},
       run},
      {"merge",
       "OUT DIR...",
       "one directory of the results of several machines",
       {{"--data", "DIR", "where the files are that problems read (default: this folder)"},
        {"--relative", "", "show regret divided by that of staying at the centre"},
        {"--quiet", "", "no talk on stderr"},
        format},
       merge},
      {"slurm",
       "FILE.toml",
       "print a script that submits the experiment to Slurm",
       {{"--tasks", "N", "into how many slices it is cut, at most one a run"},
        {"--time", "LIMIT", "how long a task may take: 1:00:00"},
        {"--threads", "N", "processors a task (default: 1)"},
        {"--out", "DIR", "where the results go, or go on (default: FILE.results)"},
        {"--quick", "", "at most 4096 rounds and 2 repeats, in FILE.quick.results"}},
       slurm},
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
        {"--wait", "SECONDS", "how long to wait for others who hold the study (default: 10)"},
        {"--allow-network", "", "take a folder on a network file system"}},
       report},
      {"completion",
       "[SHELL]",
       "print the completion for bash, zsh or fish (default: bash)",
       {},
       completion},
      {"version", "", "print the version and the revision of the digits", {}, version},
  };
}

}  // namespace keyhole::cli
