#include "cli/study.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/parse.h"
#include "experiment/terminal.h"
#include "studies/journals/place.h"
#include "studies/name.h"

namespace keyhole::cli {
namespace {

using Options = std::vector<OptionInfo>;

/// With the options of every command of studies.
Options with_store(Options options) {
  const Options common = {
      {"--store", "DIR", "folder or postgresql://... (default: $KEYHOLE_STORE or studies)"},
      {"--tenant", "NAME", "whose studies of a service with tokens"},
      {"--durability", "WHAT", "what a step survives (default: disk)", {"disk", "process"}},
      {"--wait", "SECONDS", "how long to wait for others who hold a study (default: 10)"},
      {"--allow-network", "", "take a folder on a network file system"}};
  options.insert(options.end(), common.begin(), common.end());
  return options;
}

}  // namespace

OptionInfo keep_deleted_option() {
  return {"--keep-deleted", "DAYS", "how long a study can be undeleted (default: 0)"};
}

CommandInfo study_command() {
  const OptionInfo format = {
      "--format", "FORMAT", "how the data is printed (default: text)", {"text", "json", "csv"}};
  const OptionInfo worker = {"--worker", "NAME", "who asks: gets its play again until it is told"};
  const OptionInfo context = {"--context", "NAME=VALUE...", "what is known now: load=812"};
  const OptionInfo count = {"--count", "N", "how many measurements the loss is the mean of"};
  const OptionInfo error = {"--error", "X", "or the standard error of the loss"};
  const OptionInfo extra = {"--extra", "", "keep numbers of other names than metrics as notes"};
  return {
      "study",
      "COMMAND",
      "learners that live on a disk: create, ask, tell, drive a program",
      {},
      nullptr,
      {
          {"create", "NAME", "make a study of a space or a set",
           with_store({{"--space", "FILE.toml", "the parameters by name (docs/spaces.md)"},
                       {"--set", "SPEC", "or a set: 'simplex(5)'"},
                       {"--learner", "SPEC", "the algorithm (default: default)"},
                       {"--seed", "N", "same seed, same plays (default: 0)"},
                       {"--window", "N", "how many latest plays can be told (default: 4096)"},
                       {"--maximize", "", "what is told are gains, not losses"},
                       {"--max-step", "X", "how far a play may be from the one before"},
                       {"--facts",
                        "WHAT",
                        "what the log keeps of a point (default: points)",
                        {"points", "witness"}}}),
           study_create},
          {"ask", "NAME", "the next play",
           with_store({{"--count", "N", "that many plays, as one unit (default: 1)"},
                       worker,
                       context,
                       format}),
           study_ask},
          {"tell", "NAME PLAY [LOSS] [METRIC=X]...",
           "tell a loss and metrics; lines of PLAY LOSS if PLAY is -",
           with_store({count, error, extra, format}), study_tell},
          {"step", "NAME PLAY LOSS [METRIC=X]...",
           "tell a loss and ask for the next play, as one unit",
           with_store({count, error, extra, worker, context, format}), study_step},
          {"learn", "NAME FILE.csv", "learn what was measured before; - reads the input",
           with_store({{"--half-life", "ROWS", "so many later rows halve what a row counts"},
                       {"--outside",
                        "WHAT",
                        "what is done with a point outside (default: refuse)",
                        {"refuse", "project", "skip"}},
                       {"--loss", "COLUMN", "the column of the losses (default: loss)"},
                       {"--id", "ID", "what was learned by this id is not learned again"},
                       format}),
           study_learn},
          {"recommend", "NAME", "what to deploy", with_store({context, format}), study_recommend},
          {"show", "NAME", "what it is, has done and recommends",
           with_store({{"--watch", "", "a view that is drawn again every second, until Ctrl-C"},
                       {"--interval", "SECONDS", "between two views (default: 1)"},
                       {"--count", "N", "how many views (default: until Ctrl-C)"},
                       format}),
           study_show},
          {"front", "NAME", "what can be had of a metric, and what it costs",
           with_store({{"--metric", "NAME", "which one (default: the only one)"}, format}),
           study_front},
          {"list", "", "the studies, by name",
           with_store({{"--tag", "TAG", "only those that have it"},
                       {"--search", "TEXT", "only those with it in their name or note"},
                       format}),
           study_list},
          {"label", "NAME", "write a note and tags on a study; without them, show both",
           with_store({{"--note", "TEXT", "in place of the note that is there"},
                       {"--tags", "TAG,TAG", "in place of the tags that are there"},
                       format}),
           study_label},
          {"drive", "NAME -- COMMAND...", "run a command for each play, tell what it prints",
           with_store({{"--workers", "K", "how many commands run at a time (default: 1)"},
                       {"--rounds", "N", "how many plays (default: until Ctrl-C)"},
                       {"--until",
                        "WHAT",
                        "end when it is proven to pay, or has settled",
                        {"proven", "settled"}},
                       extra,
                       {"--context-from", "COMMAND", "prints what is known now, lines NAME VALUE"},
                       {"--timeout", "SECONDS", "when a command is killed (default: never)"},
                       {"--tries", "N", "how often a play is run that fails (default: 3)"},
                       {"--worker", "NAME", "the workers are NAME-1, ... (default: drive)"},
                       {"--quiet", "", "no word on stderr of commands that fail"},
                       format}),
           study_drive},
          {"compare", "NAME A B -- COMMAND...",
           "find out by a coin which of two settings (TOML) is better",
           with_store({{"--workers", "K", "how many commands run at a time (default: 1)"},
                       {"--rounds", "N", "how many plays at most (default: until one is better)"},
                       {"--maximize", "", "the command prints gains, not losses"},
                       {"--seed", "N", "of the coin (default: 0)"},
                       {"--timeout", "SECONDS", "when a command is killed (default: never)"},
                       {"--tries", "N", "how often a play is run that fails (default: 3)"},
                       {"--worker", "NAME", "the workers are NAME-1, ... (default: drive)"},
                       {"--quiet", "", "no word on stderr of commands that fail"},
                       format}),
           study_compare},
          {"log", "NAME", "the asks and tells in order, a step a line",
           with_store(
               {{"--follow", "", "go on with the steps that are added, until Ctrl-C"}, format}),
           study_log},
          {"export", "NAME", "all plays with their losses",
           with_store({{"--points", "", "with the points of the set"},
                       {"--format",
                        "FORMAT",
                        "how the data is printed (default: jsonl)",
                        {"jsonl", "csv"}}}),
           study_export},
          {"verify", "NAME", "read the whole log; its size and state", with_store({format}),
           study_verify},
          {"pause", "NAME", "stop exploring: plays are what is recommended", with_store({}),
           study_pause},
          {"resume", "NAME", "explore again", with_store({}), study_resume},
          {"prove", "NAME", "measure by a coin how much better it is than the start",
           with_store(
               {{"--share", "SHARE", "of the plays at the start, 0 for none (default: 0.1)"}}),
           study_prove},
          {"change", "NAME", "go on on another space with what was learned",
           with_store({{"--space", "FILE.toml", "the new parameters (docs/spaces.md)"}, format}),
           study_change},
          {"copy", "NAME", "copy a study to another store or a service, byte for byte",
           with_store(
               {{"--to", "DIR", "the other store: a folder, postgresql://... or https://..."},
                {"--token-file", "FILE", "has a token of the service, of scope admin"},
                {"--ca", "FILE", "certificates to trust in place of the system's"}}),
           study_copy},
          {"renew", "NAME", "let a study go on that another version has made",
           with_store({{"--dry-run", "", "only say what it would go on with"}}), study_renew},
          {"delete", "NAME", "delete a study and all it learned",
           with_store({keep_deleted_option()}), study_delete},
          {"undelete", "[NAME]", "bring back a deleted study that is kept, or list them",
           with_store({format}), study_undelete},
      }};
}

CommandInfo store_command() {
  return {"store",
          "COMMAND",
          "all studies of a folder or a database: copy them",
          {},
          nullptr,
          {{"copy", "", "copy all studies, those of tenants too, while they are played",
            with_store({{"--to", "DIR", "the other store: a folder or postgresql://..."},
                        {"--format",
                         "FORMAT",
                         "how the data is printed (default: text)",
                         {"text", "json", "csv"}}}),
            store_copy}}};
}

double keep_deleted(const Arguments& arguments) {
  constexpr std::uint64_t most = 36500;
  constexpr double a_day = 86400;  // seconds
  return a_day * static_cast<double>(
                     whole_number("--keep-deleted", arguments.get("--keep-deleted", "0"), 0, most));
}

std::string folder_of(const Arguments& arguments) {
  const char* const variable = std::getenv("KEYHOLE_STORE");
  const bool has_variable = variable != nullptr && *variable != '\0';
  return arguments.get("--store", has_variable ? variable : "studies");
}

StoreOptions store_options(const Arguments& arguments) {
  StoreOptions options;
  const bool disk = arguments.get("--durability", "disk") == "disk";
  options.durability = disk ? Durability::disk : Durability::process;
  options.allow_network = arguments.has("--allow-network");
  if (arguments.has("--wait")) options.wait = seconds("--wait", arguments.get("--wait", ""));
  return options;
}

Store store_in(const std::string& folder, const Arguments& arguments, const Program& program) {
  std::error_code error;
  if (!studies::names_database(folder) && std::filesystem::exists(folder, error) &&
      !std::filesystem::is_directory(folder, error)) {
    throw StudyError(
        "'" + folder + "' is a file, and studies are in a folder: --store names another one",
        ErrorCode::invalid_argument);
  }
  return Store(folder, store_options(arguments), program.catalogue);
}

/// Where the studies of the tenant are, if that is a folder.
std::string place_of(const Arguments& arguments) {
  const std::string folder = folder_of(arguments);
  return arguments.has("--tenant") && !studies::names_database(folder)
             ? folder + "/@" + arguments.get("--tenant", "")
             : folder;
}

Store new_store(const Arguments& arguments, const Program& program) {
  Store store = store_in(folder_of(arguments), arguments, program);
  if (!arguments.has("--tenant")) return store;
  const std::string tenant = arguments.get("--tenant", "");
  if (!studies::is_name(tenant)) throw UsageError("--tenant: '" + tenant + "' is no tenant");
  return store.within(tenant);
}

Store the_store(const Arguments& arguments, const Program& program) {
  const std::string folder = place_of(arguments);
  std::error_code error;
  if (!studies::names_database(folder) && !std::filesystem::exists(folder, error)) {
    throw StudyError("there is no folder '" + folder + "': '" + program.name +
                         " study create' makes a study in it, and --store names another one",
                     ErrorCode::unknown_study);
  }
  return new_store(arguments, program);
}

std::string worker_of(const Arguments& arguments, const std::string& otherwise) {
  constexpr std::size_t longest = 100;
  const std::string worker = arguments.get("--worker", otherwise);
  const bool good =
      worker.size() <= longest &&
      std::all_of(worker.begin(), worker.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (good) return worker;
  throw UsageError("--worker must be at most " + std::to_string(longest) +
                   " letters, digits and signs of ASCII, without blanks");
}

bool has_study(const Arguments& arguments, const Program& program) {
  std::error_code error;
  const std::string folder = place_of(arguments);
  if (!studies::names_database(folder) && !std::filesystem::is_directory(folder, error)) {
    return false;
  }
  return !new_store(arguments, program).identity(arguments.word(0)).empty();
}

Study the_study(const Arguments& arguments, const Program& program) {
  const experiment::Notice notice("making the set and the learner ...");
  return the_store(arguments, program).open(arguments.word(0));
}

}  // namespace keyhole::cli
