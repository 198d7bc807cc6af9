#include "studies/format/step.h"

#include "studies/format/bytes.h"

namespace keyhole::studies {
namespace {

constexpr std::uint64_t step_kind = 2;
constexpr std::uint64_t era_kind = 3;
constexpr std::uint64_t switch_kind = 4;

}  // namespace

std::string step_content(const Step& step, std::uint64_t asked) {
  std::string content;
  put_number(content, step_kind);
  put_number(content, step.tells.size());
  for (const Tell& tell : step.tells) {
    put_number(content, asked - tell.play);
    put_double(content, tell.loss);
  }
  put_number(content, 2 * step.asks + (step.worker.empty() ? 0 : 1));
  if (!step.worker.empty()) put_text(content, step.worker);
  return content;
}

std::string era_content(const Era& era) {
  std::string content;
  put_number(content, era_kind);
  put_text(content, era.text);
  put_text(content, era.state);
  return content;
}

std::optional<Era> read_era(std::string_view content) {
  Taker taker(content);
  const auto kind = taker.number();
  const auto text = taker.text();
  const auto state = taker.text();
  if (kind != era_kind || !text || !state || !taker.rest().empty()) return {};
  return Era{std::string(*text), std::string(*state)};
}

std::string switch_content(bool explores) {
  std::string content;
  put_number(content, switch_kind);
  put_number(content, explores ? 1 : 0);
  return content;
}

std::optional<bool> read_switch(std::string_view content) {
  Taker taker(content);
  const auto kind = taker.number();
  const auto on = taker.number();
  if (kind != switch_kind || !on || *on > 1 || !taker.rest().empty()) return {};
  return *on == 1;
}

bool read_step(std::string_view content, std::uint64_t asked, Step& step) {
  step.tells.clear();
  step.worker.clear();
  Taker taker(content);
  const auto kind = taker.number();
  const auto tells = taker.number();
  if (kind != step_kind || !tells || *tells > content.size()) return false;
  for (std::uint64_t k = 0; k < *tells; ++k) {
    const auto age = taker.number();
    const auto loss = taker.a_double();
    if (!age || !loss || *age >= asked) return false;
    step.tells.push_back({asked - *age, *loss});
  }
  const auto asks = taker.number();
  if (!asks || *asks / 2 > most_asks) return false;
  step.asks = *asks / 2;
  if (*asks % 2 == 1) {
    const auto worker = taker.text();
    if (!worker || worker->empty()) return false;
    step.worker = *worker;
  }
  return taker.rest().empty();
}

}  // namespace keyhole::studies
