#include "cli/commands.h"

namespace keyhole::cli {

const std::vector<CommandInfo>& command_table() {
  static const OptionInfo format = {
      "--format", "FORMAT", "how the data is printed (default: table)", {"table", "json", "csv"}};
  static const std::vector<CommandInfo> table = {
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
      {"report", "DIR", "make report.html of a directory of results, and its figures", {}, report},
      {"reproduce",
       "",
       "the paper's evaluation: three experiments, its claims, a report",
       {{"--repeats", "N", "how often each run is repeated (default: 50)"},
        {"--quick", "", "5 repeats and short runs, for a first look"},
        {"--prices", "FILE", "closing prices (default: a synthetic market)"},
        {"--setting",
         "SETTING",
         "which constants (default: both)",
         {"published", "proven", "both"}},
        {"--out", "DIR", "where the results go (default: reproduction.results)"},
        {"--quiet", "", "no progress on stderr"}},
       reproduce},
      {"completion", "", "print the completion of commands and names for bash", {}, completion},
      {"version", "", "print the version and the revision of the digits", {}, version},
  };
  return table;
}

}  // namespace keyhole::cli
