#include "reproduction/claims_text.h"

#include <algorithm>

#include "base/csv_text.h"
#include "base/number_text.h"
#include "experiment/columns.h"
#include "report/text.h"

namespace keyhole::reproduction {
namespace {

std::string holds_text(Holds holds) {
  constexpr const char* words[] = {"no", "undecided", "yes"};
  return words[static_cast<int>(holds)];
}

}  // namespace

std::string headline(const std::vector<Claim>& claims) {
  const auto count = [&](auto... verdicts) {
    return std::to_string(std::count_if(claims.begin(), claims.end(), [&](const Claim& claim) {
      return ((claim.verdict == verdicts) || ...);
    }));
  };
  const std::string partly = count(Verdict::only_published, Verdict::only_proven);
  const std::string undecided = count(Verdict::undecided);
  const std::string incomparable = count(Verdict::not_comparable);
  return count(Verdict::reproduced) + " of " + std::to_string(claims.size()) +
         " claims reproduced, " + (partly == "0" ? "" : partly + " in one setting only, ") +
         count(Verdict::not_reproduced) + " not reproduced" +
         (undecided == "0" ? "" : ", " + undecided + " undecided") +
         (incomparable == "0" ? "" : ", " + incomparable + " not comparable without real prices") +
         ".";
}

std::string claims_table(const std::vector<Claim>& claims) {
  std::string text;
  for (const Claim& claim : claims) {
    text += text_of(claim.verdict) + ": " + claim.text + "\n";
    std::vector<experiment::Row> rows = {{"  " + claim.quantity, "holds"}, {"  paper", ""}};
    rows[0].insert(rows[0].end(), claim.columns.begin(), claim.columns.end());
    for (const double number : claim.paper) rows[1].push_back(report::readable(number));
    for (const Evidence& evidence : claim.measured) {
      experiment::Row& row = rows.emplace_back();
      row = {"  " + evidence.label, evidence.counts ? holds_text(evidence.holds) : "-"};
      for (const Number& number : evidence.numbers) row.push_back(report::readable(number.value));
    }
    text += experiment::aligned(rows, 2) + "\n";
  }
  return text + headline(claims) + "\n";
}

std::string claims_csv(const std::vector<Claim>& claims) {
  const auto optional = [](const std::optional<double>& value) {
    return value ? base::number_text(*value) : "";
  };
  std::string text =
      "claim,verdict,run,counts,holds,quantity,of,round,paper,measured,lower,upper\n";
  for (const Claim& claim : claims) {
    for (const Evidence& evidence : claim.measured) {
      for (std::size_t j = 0; j < evidence.numbers.size(); ++j) {
        const Number& number = evidence.numbers[j];
        text += base::csv_line({claim.text, text_of(claim.verdict), evidence.run,
                                evidence.counts ? "yes" : "no", holds_text(evidence.holds),
                                claim.quantity, claim.columns[j],
                                number.round > 0 ? base::number_text(number.round) : "",
                                base::number_text(claim.paper[j]), base::number_text(number.value),
                                optional(number.lower), optional(number.upper)});
      }
    }
  }
  return text;
}

}  // namespace keyhole::reproduction
