// keyhole study ask, tell, step and recommend.

#include <algorithm>
#include <iostream>
#include <sstream>

#include "base/csv_text.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "cli/colour.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "cli/study_text.h"
#include "studies/json/alarms.h"

namespace keyhole::cli {
namespace {

/// A play number and what was measured as the user wrote them; `where` begins the message.
StudyTell tell_of(const std::string& where, const std::string& play, const std::string& told) {
  const auto id = base::read_whole_number(play);
  if (!id) throw UsageError(where + "a play must be a whole number, not '" + play + "'");
  auto measured = read_measured(told);
  if (measured) return {*id, measured->loss, measured->count, std::move(measured->metrics)};
  if (!told.empty() && told.find_first_of(" \t=") == std::string::npos) {
    throw UsageError(where + "a loss must be a number, not '" + told + "'");
  }
  throw UsageError(where +
                   "tell PLAY LOSS, and perhaps count=N or error=X and metrics NAME=VALUE, "
                   "not '" +
                   play + (told.empty() ? "" : " ") + told + "'");
}

/// The tell of the words and options of a command.
StudyTell tell_of(const Arguments& arguments) {
  const std::vector<std::string> told(arguments.words.begin() + 2, arguments.words.end());
  StudyTell tell = tell_of("", arguments.word(1), base::joined(told, " "));
  tell.extra = arguments.has("--extra");
  if (arguments.has("--count") && arguments.has("--error")) {
    throw UsageError("give --count or --error, not both");
  }
  if (arguments.has("--count"))
    tell.count = positive_number("--count", arguments.get("--count", ""));
  if (arguments.has("--error")) {
    tell.count = count_of_error(positive_number("--error", arguments.get("--error", "")));
  }
  return tell;
}

/// The tells of the standard input, one a line.
std::vector<StudyTell> tells_of_input(bool extra) {
  std::vector<StudyTell> tells;
  std::uint64_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const std::string where = "line " + std::to_string(++number) + ": ";
    std::istringstream words(line);
    std::string play;
    std::string told;
    if (!(words >> play)) continue;  // a blank line
    std::getline(words >> std::ws, told);
    tells.push_back(tell_of(where, play, told));
    tells.back().extra = extra;
  }
  return tells;
}

/// What the options --context say is known.
Values context_of(const Study& study, const Arguments& arguments) {
  Values context;
  for (const std::string& text : arguments.all("--context")) {
    const std::size_t sign = text.find('=');
    if (sign == 0 || sign == std::string::npos) {
      throw UsageError("--context must be NAME=VALUE, not '" + text + "'");
    }
    const std::string name = text.substr(0, sign);
    context.emplace_back(name, context_value(study, name, text.substr(sign + 1)));
  }
  return context;
}

using Fields = std::vector<std::string>;

Fields joined(Fields first, const Fields& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

/// Prints the plays; before each how a tell was taken, if there was one.
void print_plays(const Study& study, const std::vector<StudyPlay>& plays, const std::string& told,
                 const std::string& format) {
  const ValueText text(study);
  const bool has_told = !told.empty();
  const Fields contexts = context_names(study);
  if (format == "csv") {
    const Fields first = has_told ? Fields{"told", "play"} : Fields{"play"};
    std::cout << base::csv_line(joined(joined(first, text.names()), contexts));
  }
  for (const StudyPlay& play : plays) {
    const std::string id = std::to_string(play.id);
    if (format == "json") {
      Json json = has_told ? Json{{"told", told}} : Json::object();
      json.update(play_json(play));
      std::cout << json_text(json) << "\n";
    } else if (format == "csv") {
      const Fields first = has_told ? Fields{told, id} : Fields{id};
      std::cout << base::csv_line(joined(joined(first, text.fields(play.values, play.point)),
                                         fields_of(contexts, play.context)));
    } else {
      std::cout << (play.id == plays.front().id ? "" : "\n")
                << (has_told ? "told " + told + "\n" : "") << "play " << id
                << (play.recommended ? " (recommended)" : "")
                << (play.pair != 0 ? " (pair " + std::to_string(play.pair) + ")\n" : "\n")
                << text.lines(play.values, play.point);
      const Fields known = fields_of(contexts, play.context);
      for (std::size_t i = 0; i < known.size(); ++i) {
        if (!known[i].empty()) std::cout << "context." << contexts[i] << " " << known[i] << "\n";
      }
    }
  }
}

void print_receipts(const std::vector<StudyTell>& tells, const std::vector<Receipt>& receipts,
                    const std::string& format) {
  if (format == "csv") std::cout << "told,play\n";
  for (std::size_t k = 0; k < tells.size(); ++k) {
    const std::string told = receipt_text(receipts[k]);
    if (format == "json") {
      std::cout << json_text({{"told", told}, {"play", tells[k].id}}) << "\n";
    } else {
      std::cout << told << (format == "csv" ? "," + std::to_string(tells[k].id) : "") << "\n";
    }
  }
}

/// Says so if losses came after their plays had expired.
void warn_of_expired(const Study& study, const std::vector<StudyTell>& tells,
                     const std::vector<Receipt>& receipts, const Program& program) {
  const auto first = std::find(receipts.begin(), receipts.end(), Receipt::expired);
  if (first == receipts.end()) return;
  const auto more = std::count(first + 1, receipts.end(), Receipt::expired);
  const PlayId play = tells[static_cast<std::size_t>(first - receipts.begin())].id;
  warn(program,
       expired_text(study, play) + (more > 0 ? "; as for " + std::to_string(more) + " more" : ""));
}

/// Says so if a number is so far outside its range that a nearer one is taken, or a name was never
/// listed.
void warn_of_clipped(const Study& study, const Values& context, const Program& program) {
  const auto* const space = std::get_if<Space>(&study.description().on);
  for (const auto& known : context) {
    if (space == nullptr || space->clipped({known}) == 0) continue;
    const auto* const name = std::get_if<std::string>(&known.second);
    warn(program, "the context '" + known.first +
                      (name != nullptr
                           ? "' has no name '" + *name + "': it counts as one of those not listed"
                           : "' is far outside its range: it counts as one that is nearer"));
  }
}

}  // namespace

int study_ask(const Arguments& arguments, const Program& program) {
  constexpr std::uint64_t most = 1'000'000;
  const std::uint64_t count = whole_number("--count", arguments.get("--count", "1"), 1, most);
  const std::string worker = worker_of(arguments, "");
  if (count > 1 && !worker.empty()) {
    throw UsageError("a worker has one play at a time: leave --count or --worker out");
  }
  Study study = the_study(arguments, program);
  const Values context = context_of(study, arguments);
  print_plays(study, study.step({}, count, worker, context).plays, "",
              arguments.get("--format", "text"));
  warn_of_clipped(study, context, program);
  return 0;
}

int study_tell(const Arguments& arguments, const Program& program) {
  const bool from_input = arguments.word(1) == "-";
  if (from_input == (arguments.words.size() >= 3)) {
    throw UsageError("give a play and its loss, or - to read lines 'PLAY LOSS'");
  }
  if (from_input && (arguments.has("--count") || arguments.has("--error"))) {
    throw UsageError("a line says its own count: 'PLAY LOSS count=N' or 'PLAY LOSS error=X'");
  }
  const std::vector<StudyTell> tells = from_input ? tells_of_input(arguments.has("--extra"))
                                                  : std::vector<StudyTell>{tell_of(arguments)};
  Study study = the_study(arguments, program);
  const StudyStep step = tells.empty() ? StudyStep{} : study.step(tells, 0);
  print_receipts(tells, step.receipts, arguments.get("--format", "text"));
  warn_of_expired(study, tells, step.receipts, program);
  return 0;
}

int study_step(const Arguments& arguments, const Program& program) {
  const StudyTell tell = tell_of(arguments);
  Study study = the_study(arguments, program);
  const Values context = context_of(study, arguments);
  const StudyStep step = study.step({tell}, 1, worker_of(arguments, ""), context);
  print_plays(study, step.plays, receipt_text(step.receipts.front()),
              arguments.get("--format", "text"));
  warn_of_expired(study, {tell}, step.receipts, program);
  warn_of_clipped(study, context, program);
  return 0;
}

int study_recommend(const Arguments& arguments, const Program& program) {
  Study study = the_study(arguments, program);
  const std::vector<double> point = study.recommend(context_of(study, arguments));
  const Values values = likeliest(study, point);
  const Proof proof = study.status().proof;
  const ValueText text(study);
  const std::string format = arguments.get("--format", "text");
  if (format == "json") {
    Json json = values_and_point(values, point);
    if (proof.share > 0) json["proof"] = studies::proof_json(proof);
    std::cout << json_text(json) << "\n";
  } else if (format == "csv") {
    std::cout << base::csv_line(text.names()) << base::csv_line(text.fields(values, point));
  } else {
    std::cout << text.lines(values, point);
    if (proof.share > 0) std::cout << "proof " << studies::proof_text(proof) << "\n";
  }
  return 0;
}

}  // namespace keyhole::cli
