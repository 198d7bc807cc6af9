#include "studies/format/snapshot.h"

#include "studies/format/bytes.h"
#include "studies/format/crc32c.h"

namespace keyhole::studies {
namespace {

constexpr std::uint64_t snapshot_format = 5;
constexpr std::uint64_t format_without_contexts = 4;
constexpr std::uint64_t format_without_past = 3;
constexpr std::uint64_t format_without_seal = 2;
constexpr std::uint64_t format_without_explores = 1;

void put_point(std::string& bytes, const std::vector<double>& point) {
  put_number(bytes, point.size());
  for (const double x : point) put_double(bytes, x);
}

/// Takes what is written above; remembers whether all was there.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : taker_(bytes) {}

  [[nodiscard]] bool whole() const { return whole_ && taker_.rest().empty(); }

  std::uint64_t number() { return keep(taker_.number()); }
  std::uint64_t fixed(std::size_t count) { return keep(taker_.fixed(count)); }
  bool flag() {
    const std::uint64_t flag = number();
    if (flag > 1) whole_ = false;
    return flag == 1;
  }
  std::string text() { return std::string(keep(taker_.text())); }
  std::vector<double> point() {
    const std::uint64_t count = number();
    if (count > taker_.rest().size() / 8) whole_ = false;
    std::vector<double> point(whole_ ? count : 0);
    for (double& x : point) x = keep(taker_.a_double());
    return point;
  }
  /// How many things of at least a byte each follow.
  std::uint64_t count() {
    const std::uint64_t count = number();
    if (count > taker_.rest().size()) whole_ = false;
    return whole_ ? count : 0;
  }

 private:
  template <class T>
  T keep(const std::optional<T>& value) {
    whole_ = whole_ && value.has_value();
    return value.value_or(T{});
  }

  Taker taker_;
  bool whole_ = true;
};

}  // namespace

void Snapshot::find(std::string_view content, const Mark& end) {
  if (mark.position != end.position) return;
  is_found = old_checksum ? *old_checksum == crc32c(content) : mark.seal == end.seal;
  if (!is_found) return;
  mark = end;
  old_checksum.reset();
}

std::string snapshot_bytes(const Snapshot& snapshot) {
  std::string bytes;
  put_number(bytes, snapshot_format);
  put_number(bytes, snapshot.mark.position);
  put_bytes(bytes, snapshot.mark.seal, 8);
  put_number(bytes, snapshot.asked);
  put_number(bytes, snapshot.before);
  put_number(bytes, snapshot.offset);
  put_text(bytes, snapshot.text);
  put_point(bytes, snapshot.recommended);
  put_number(bytes, snapshot.explores ? 1 : 0);
  put_number(bytes, snapshot.past);
  put_number(bytes, snapshot.clipped);
  put_number(bytes, snapshot.changed ? 1 : 0);
  if (snapshot.changed) {
    put_number(bytes, snapshot.changed->after);
    put_number(bytes, snapshot.changed->learned);
    put_number(bytes, snapshot.changed->dropped);
  }
  put_number(bytes, snapshot.calls.size());
  for (const PastCall& call : snapshot.calls) {
    put_text(bytes, call.id);
    put_bytes(bytes, call.hash, 8);
    put_number(bytes, call.receipt.learned);
    put_number(bytes, call.receipt.projected);
    put_number(bytes, call.receipt.skipped);
  }
  put_number(bytes, snapshot.workers.size());
  for (const auto& [worker, play] : snapshot.workers) {
    put_text(bytes, worker);
    put_number(bytes, play.play);
    put_number(bytes, play.explores ? 1 : 0);
    put_point(bytes, play.point);
    put_point(bytes, play.context);
  }
  put_text(bytes, snapshot.state);
  put_bytes(bytes, crc32c(bytes), 4);
  return bytes;
}

std::optional<Snapshot> read_snapshot(std::string_view bytes) {
  if (bytes.size() < 4) return {};
  const std::string_view sealed = bytes.substr(0, bytes.size() - 4);
  if (Taker(bytes.substr(sealed.size())).fixed(4) != crc32c(sealed)) return {};
  Fields fields(sealed);
  const std::uint64_t format = fields.number();
  if (format < format_without_explores || format > snapshot_format) return {};
  const auto explores = [&] { return format == format_without_explores || fields.flag(); };
  Snapshot snapshot;
  if (format <= format_without_seal) {
    (void)fields.number();
    snapshot.mark = {.position = fields.number(), .is_sealed = false};
    snapshot.old_checksum = static_cast<std::uint32_t>(fields.fixed(4));
  } else {
    snapshot.mark.position = fields.number();
    snapshot.mark.seal = fields.fixed(8);
  }
  snapshot.asked = fields.number();
  snapshot.before = fields.number();
  snapshot.offset = fields.number();
  snapshot.text = fields.text();
  snapshot.recommended = fields.point();
  snapshot.explores = explores();
  if (format > format_without_past) snapshot.past = fields.number();
  if (format > format_without_contexts) {
    snapshot.clipped = fields.number();
    if (fields.flag()) {
      StudyChange& change = snapshot.changed.emplace();
      change.after = fields.number();
      change.learned = fields.number();
      change.dropped = fields.number();
    }
  }
  const std::uint64_t calls = format > format_without_contexts ? fields.count() : 0;
  for (std::uint64_t k = 0; k < calls; ++k) {
    PastCall& call = snapshot.calls.emplace_back();
    call.id = fields.text();
    call.hash = fields.fixed(8);
    call.receipt.learned = fields.number();
    call.receipt.projected = fields.number();
    call.receipt.skipped = fields.number();
  }
  const std::uint64_t workers = fields.count();
  for (std::uint64_t k = 0; k < workers; ++k) {
    const std::string worker = fields.text();
    WorkersPlay& play = snapshot.workers[worker];
    play.play = fields.number();
    play.explores = explores();
    play.point = fields.point();
    if (format > format_without_contexts) play.context = fields.point();
  }
  snapshot.state = fields.text();
  if (!fields.whole()) return {};
  return snapshot;
}

}  // namespace keyhole::studies
