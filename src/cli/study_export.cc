#include <algorithm>
#include <cmath>
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
  double count = 1;
  Values metrics = {};
};

/// What CSV has columns for besides values: whether a loss does not count once, the metrics of the
/// study, and behind these the notes and the metrics that it had before.
struct Columns {
  bool counts = false;
  std::vector<std::string> metrics = {};
};

/// Prints the plays of a log in order. It holds back those that can still be told.
class Exporter {
 public:
  /// With those columns, if they are for CSV. The study must outlive it.
  Exporter(const Study& study, bool points, bool csv, const Columns& columns)
      : study_(study),
        text_(study),
        by_name_(std::holds_alternative<Space>(study.description().on)),
        dimension_(study.set().dimension()),
        points_(points),
        csv_(csv),
        counts_(columns.counts),
        metrics_(columns.metrics),
        waits_(study.description().options.window) {
    if (!csv) return;
    std::vector<std::string> header = {"play", "worker", "loss"};
    if (counts_) header.emplace_back("count");
    if (by_name_) append(header, text_.names());
    append(header, context_names(study));
    append(header, metrics_);
    for (std::size_t i = 1; points && i <= dimension_; ++i) {
      header.push_back("x" + std::to_string(i));
    }
    std::cout << base::csv_line(header);
  }

  void take(const StudyRecord& record) {
    for (std::size_t k = 0; k < record.tells.size(); ++k) {
      const Receipt receipt = record.gave.receipts[k];
      const StudyTell& tell = record.tells[k];
      if (receipt == Receipt::expired || rows_.empty() || tell.id < rows_.front().play.id) continue;
      Row& row = rows_[tell.id - rows_.front().play.id];
      row.metrics.insert(row.metrics.end(), tell.metrics.begin(), tell.metrics.end());
      if (!tell.loss || receipt == Receipt::repeated) continue;
      row.loss = tell.loss;
      row.count = tell.count;
    }
    // They are no plays, and come before those that still wait.
    for (const StudyPast& past : record.past) {
      Row row{{.point = past.point, .values = past.values, .context = past.context}, "", {}};
      if (!std::isnan(past.loss)) row.loss = past.loss;
      row.count = past.count;
      row.metrics = past.metrics;
      print(row);
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
    print(rows_.front());
    rows_.pop_front();
  }

  /// Without a number, a loss of the past.
  void print(const Row& row) {
    const bool played = row.play.id != 0;
    if (csv_) {
      std::vector<std::string> fields = {played ? std::to_string(row.play.id) : "", row.worker,
                                         row.loss ? base::number_text(*row.loss) : ""};
      if (counts_) fields.push_back(base::number_text(row.count));
      const std::vector<double>& point = row.play.point;  // empty if it is not known
      if (by_name_) append(fields, text_.fields(point.empty() ? Values() : row.play.values, point));
      append(fields, fields_of(context_names(study_), row.play.context));
      append(fields, fields_of(metrics_, row.metrics));
      for (std::size_t i = 0; points_ && i < dimension_; ++i) {
        fields.push_back(i < point.size() ? base::number_text(point[i]) : "");
      }
      std::cout << base::csv_line(fields);
    } else {
      Json json = played ? Json{{"play", row.play.id}} : Json{{"past", true}};
      if (!row.worker.empty()) json["worker"] = row.worker;
      json["loss"] = row.loss ? Json(*row.loss) : Json();
      if (row.count != 1) json["count"] = row.count;
      const bool known = !row.play.point.empty();
      if (by_name_) json["values"] = known ? studies::values_json(row.play.values) : Json();
      if (!row.play.context.empty()) json["context"] = studies::values_json(row.play.context);
      if (!row.metrics.empty()) json["metrics"] = studies::values_json(row.metrics);
      if (points_) json["point"] = known ? Json(row.play.point) : Json();
      std::cout << json_text(json) << "\n";
    }
  }

  const Study& study_;
  ValueText text_;
  bool by_name_;
  std::size_t dimension_;
  bool points_;
  bool csv_;
  bool counts_;
  std::vector<std::string> metrics_;
  std::uint64_t waits_;
  std::deque<Row> rows_;
};

/// The columns that a log needs.
Columns columns_of(const Store& store, const std::string& name, const Study& study) {
  Columns columns{.metrics = metric_names(study)};
  const auto add = [&](const auto& told) {
    columns.counts = columns.counts || told.count != 1;
    for (const auto& [metric, value] : told.metrics) {
      const auto is = std::find(columns.metrics.begin(), columns.metrics.end(), metric);
      if (is == columns.metrics.end()) columns.metrics.push_back(metric);
    }
  };
  store.replay(
      name,
      [&](const StudyRecord& record) {
        for (const StudyTell& tell : record.tells) add(tell);
        for (const StudyPast& past : record.past) add(past);
      },
      {}, Replay::facts);
  return columns;
}

}  // namespace

int study_export(const Arguments& arguments, const Program& program) {
  const Store store = the_store(arguments, program);
  const bool csv = arguments.get("--format", "jsonl") == "csv";
  const Study study = store.open(arguments.word(0), Replay::facts);
  Exporter exporter(study, arguments.has("--points"), csv,
                    csv ? columns_of(store, arguments.word(0), study) : Columns());
  store.replay(
      arguments.word(0), [&](const StudyRecord& record) { exporter.take(record); }, {},
      Replay::facts);
  exporter.finish();
  return 0;
}

}  // namespace keyhole::cli
