#include <deque>
#include <iostream>

#include "base/csv_text.h"
#include "base/number_text.h"
#include "cli/study.h"
#include "cli/study_text.h"

namespace keyhole::cli {
namespace {

/// A play, and what became of it.
struct Row {
  StudyPlay play;
  std::string worker;
  std::optional<double> loss;
};

/// Prints the plays of a log in order. It holds back those that can still be told.
class Exporter {
 public:
  Exporter(const Study& study, bool points, bool csv)
      : text_(study),
        by_name_(std::holds_alternative<Space>(study.description().on)),
        dimension_(study.set().dimension()),
        points_(points),
        csv_(csv),
        waits_(study.description().options.window) {
    if (!csv) return;
    std::vector<std::string> header = {"play", "worker", "loss"};
    if (by_name_) append(header, text_.names());
    for (std::size_t i = 1; points && i <= dimension_; ++i) {
      header.push_back("x" + std::to_string(i));
    }
    std::cout << base::csv_line(header);
  }

  void take(const StudyRecord& record) {
    for (std::size_t k = 0; k < record.tells.size(); ++k) {
      const Receipt receipt = record.gave.receipts[k];
      if (receipt != Receipt::fresh && receipt != Receipt::late) continue;
      const PlayId first = rows_.front().play.id;
      rows_[record.tells[k].id - first].loss = record.tells[k].loss;
    }
    for (const StudyPlay& play : record.gave.plays) {
      rows_.push_back({play, record.worker, {}});
      if (rows_.size() > waits_) print_first();
    }
  }

  void finish() {
    while (!rows_.empty()) print_first();
  }

 private:
  static void append(std::vector<std::string>& fields, const std::vector<std::string>& more) {
    fields.insert(fields.end(), more.begin(), more.end());
  }

  void print_first() {
    const Row& row = rows_.front();
    if (csv_) {
      std::vector<std::string> fields = {std::to_string(row.play.id), row.worker,
                                         row.loss ? base::number_text(*row.loss) : ""};
      const std::vector<double>& point = row.play.point;  // empty if it is not known
      if (by_name_) {
        append(fields, point.empty() ? std::vector<std::string>(text_.names().size())
                                     : text_.fields(row.play.values, point));
      }
      for (std::size_t i = 0; points_ && i < dimension_; ++i) {
        fields.push_back(point.empty() ? "" : base::number_text(point[i]));
      }
      std::cout << base::csv_line(fields);
    } else {
      Json json = {{"play", row.play.id}};
      if (!row.worker.empty()) json["worker"] = row.worker;
      json["loss"] = row.loss ? Json(*row.loss) : Json();
      const bool known = !row.play.point.empty();
      if (by_name_) json["values"] = known ? studies::values_json(row.play.values) : Json();
      if (points_) json["point"] = known ? Json(row.play.point) : Json();
      std::cout << json_text(json) << "\n";
    }
    rows_.pop_front();
  }

  ValueText text_;
  bool by_name_;
  std::size_t dimension_;
  bool points_;
  bool csv_;
  std::uint64_t waits_;
  std::deque<Row> rows_;
};

}  // namespace

int study_export(const Arguments& arguments, const Program& program) {
  const Store store = the_store(arguments, program);
  Exporter exporter(store.open(arguments.word(0), Replay::facts), arguments.has("--points"),
                    arguments.get("--format", "jsonl") == "csv");
  store.replay(
      arguments.word(0), [&](const StudyRecord& record) { exporter.take(record); }, {},
      Replay::facts);
  exporter.finish();
  return 0;
}

}  // namespace keyhole::cli
