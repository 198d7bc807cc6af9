// A store in a database of PostgreSQL.

#include "studies/journals/place.h"

#include <algorithm>
#include <utility>

#include "studies/journals/postgres/journal.h"
#include "studies/name.h"

namespace keyhole::studies {
namespace {

constexpr Statement list_studies = {"list_studies",
                                    "select name, label from keyhole_study where tenant = $1::text "
                                    "and name >= $2::text and name not "
                                    "like '.%' order by "
                                    "name limit 1000"};
constexpr Statement list_tenants = {
    "list_tenants",
    "select distinct tenant from keyhole_study where $1::text = '' and tenant <> '' order by "
    "tenant"};
constexpr Statement read_label = {
    "read_label", "select label from keyhole_study where tenant = $1::text and name = $2::text"};
constexpr Statement write_label = {"write_label",
                                   "update keyhole_study set label = $3::text where tenant = "
                                   "$1::text and name = $2::text returning id",
                                   true};
constexpr Statement find_study = {
    "find_study", "select id from keyhole_study where tenant = $1::text and name = $2::text"};
constexpr Statement lock_study = {
    "lock_study",
    "select id from keyhole_study where tenant = $1::text and name = $2::text for update"};
constexpr Statement end_of_log = {
    "end_of_log",
    "select position + length(data) from keyhole_frame where study = $1::int8 order by position "
    "desc limit 1"};
constexpr Statement add_study = {"add_study",
                                 "insert into keyhole_study (tenant, name) values ($1::text, "
                                 "$2::text) on conflict do nothing returning id"};
constexpr Statement add_frames = {
    "add_frames",
    "insert into keyhole_frame select $1::int8, n.position, n.data from unnest($2::int8[], "
    "$3::bytea[]) as n (position, data)"};
constexpr Statement add_content = {
    "add_content", "insert into keyhole_content values ($1::int8, $2::text, $3::bytea)"};
constexpr Statement read_contents = {
    "read_contents", "select name, data from keyhole_content where study = $1::int8"};
constexpr Statement delete_study = {
    "delete_study",
    "with gone as (delete from keyhole_study where id = $1::int8 and name = $2::text returning "
    "id), "
    "frames as (delete "
    "from keyhole_frame using gone where study = id), snapshots as (delete from keyhole_snapshot "
    "using gone where study = id), contents as (delete from keyhole_content using gone where study "
    "= "
    "id) select id from gone",
    true};

constexpr Statement list_kept = {"list_kept",
                                 "select id, name from keyhole_study where tenant = $1::text and "
                                 "name like '.kept.%' order by id"};
constexpr Statement rename_study = {
    "rename_study",
    "update keyhole_study set name = $3::text where id = $1::int8 and name = $2::text and not "
    "exists (select from keyhole_study as s where s.tenant = keyhole_study.tenant and s.name = "
    "$3::text) returning id",
    true};

class PostgresPlace final : public Store::Place {
 public:
  PostgresPlace(std::shared_ptr<SharedDatabase> shared, std::string tenant)
      : shared_(std::move(shared)), tenant_(std::move(tenant)) {}

  [[nodiscard]] std::string text() const override { return shared_->database.text(); }
  [[nodiscard]] bool is_database() const override { return true; }
  [[nodiscard]] std::shared_ptr<const Place> within(const std::string& tenant) const override {
    return std::make_shared<PostgresPlace>(shared_, tenant);
  }

  [[nodiscard]] std::vector<std::string> tenants() const override {
    std::vector<std::string> found;
    const Rows rows = shared_->database.run(list_tenants, {tenant_});
    for (std::size_t k = 0; k < rows.size(); ++k) found.emplace_back(rows.bytes(k, 0));
    return found;
  }

  void visit(const std::string& from, const Visit& visit) const override {
    std::string next = from;
    while (true) {
      const Rows rows = shared_->database.run(list_studies, {tenant_, next});
      if (rows.size() == 0) return;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        next = rows.bytes(k, 0);
        if (!visit(next, [&] { return std::string(rows.bytes(k, 1)); })) return;
      }
      next += '\x01';  // no name is between
    }
  }

  [[nodiscard]] std::string label(const std::string& name) const override {
    const Rows rows = shared_->database.run(read_label, {tenant_, name});
    return rows.size() == 0 ? "" : std::string(rows.bytes(0, 0));
  }

  [[nodiscard]] bool set_label(const std::string& name, const std::string& text) const override {
    return shared_->database.run(write_label, {tenant_, name, text}).size() > 0;
  }

  /// The number of the study.
  [[nodiscard]] std::string identity(const std::string& name) const override {
    const auto study = number_of(name);
    return study ? std::to_string(*study) : "";
  }

  [[nodiscard]] std::unique_ptr<Journal> journal(const std::string& name) const override {
    const auto study = number_of(name);
    if (!study) return {};
    return std::make_unique<PostgresJournal>(shared_, *study, name);
  }

  [[nodiscard]] std::unique_ptr<Snapshots> snapshots(const std::string& name) const override {
    return std::make_unique<PostgresSnapshots>(shared_, number_of(name).value_or(0));
  }

  [[nodiscard]] std::string log(const std::string& name) const override {
    const auto study = number_of(name);
    return study ? read_log(shared_->database, *study) : "";
  }

  [[nodiscard]] std::uint64_t log_bytes(const std::string& name) const override {
    const auto study = number_of(name);
    if (!study) return 0;
    const Rows rows = shared_->database.run(end_of_log, {whole_value(*study)});
    return rows.size() == 0 ? 0 : rows.whole(0, 0);
  }

  [[nodiscard]] KeptContents contents(const std::string& name) const override {
    KeptContents contents;
    const auto study = number_of(name);
    if (!study) return contents;
    const Rows rows = shared_->database.run(read_contents, {whole_value(*study)});
    for (std::size_t k = 0; k < rows.size(); ++k) {
      contents.emplace(rows.bytes(k, 0), rows.bytes(k, 1));
    }
    return contents;
  }

  [[nodiscard]] bool make(const std::string& name, const std::string& log,
                          const KeptContents& contents) const override {
    return shared_->database.transact([&](Connection& connection) {
      const Rows added = connection.run(add_study, {tenant_, name});
      if (added.size() == 0) return false;
      for (const auto& [content, bytes] : contents) {
        connection.run(add_content, {whole_value(added.whole(0, 0)), content, bytes});
      }
      add_log(connection, added.whole(0, 0), 0, log);
      return true;
    });
  }

  [[nodiscard]] bool extend(const std::string& name, std::uint64_t size,
                            const std::string& log) const override {
    return unless_taken([&] {
      return shared_->database.transact([&](Connection& connection) {
        const Rows study = connection.run(lock_study, {tenant_, name});
        if (study.size() == 0) return false;
        const std::string number = whole_value(study.whole(0, 0));
        if (connection.run(end_of_log, {number}).whole(0, 0) != size) return false;
        add_log(connection, study.whole(0, 0), size, log);
        return true;
      });
    });
  }

  /// By its number: a server that does it late leaves what has the name by then.
  bool remove(const std::string& name, std::uint64_t keep) const override {
    (void)all_kept();
    const auto study = number_of(name);
    if (!study) return false;
    const std::string number = whole_value(*study);
    if (keep == 0) return shared_->database.run(delete_study, {number, name}).size() > 0;
    const std::string kept = text_of(kept_from_now(name, keep)) + "." + std::to_string(*study);
    return shared_->database.run(rename_study, {number, name, kept}).size() > 0;
  }

  [[nodiscard]] std::vector<DeletedStudy> deleted() const override {
    std::vector<DeletedStudy> found;
    for (const Kept& each : all_kept()) found.push_back({each.kept.name, each.kept.until});
    return found;
  }

  [[nodiscard]] bool undelete(const std::string& name) const override {
    for (const Kept& each : all_kept()) {
      if (each.kept.name != name) continue;
      return unless_taken([&] {
        return shared_->database.run(rename_study, {each.number, each.text, name}).size() > 0;
      });
    }
    return false;
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> number_of(const std::string& name) const {
    const Rows rows = shared_->database.run(find_study, {tenant_, name});
    if (rows.size() == 0) return {};
    return rows.whole(0, 0);
  }

  /// What the work gives; false if somebody else has taken the name or the place meanwhile.
  template <class Work>
  [[nodiscard]] static bool unless_taken(Work work) {
    try {
      return work();
    } catch (const DatabaseError& error) {
      if (error.state() != "23505") throw;
      return false;
    }
  }

  struct Kept {
    std::string number;  // of the study
    std::string text;    // what it is called
    KeptName kept;
  };

  /// The studies that are deleted and can be brought back, that first which was deleted last. What
  /// was kept for long enough is removed.
  [[nodiscard]] std::vector<Kept> all_kept() const {
    std::vector<Kept> found;
    const Rows rows = shared_->database.run(list_kept, {tenant_});
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::string text(rows.bytes(k, 1));
      const auto kept = read_kept(text);
      if (kept) found.push_back({whole_value(rows.whole(k, 0)), text, *kept});
    }
    std::erase_if(found, [&](const Kept& each) {
      const bool is_over = each.kept.until < seconds_now();
      if (is_over) (void)shared_->database.run(delete_study, {each.number, each.text});
      return is_over;
    });
    std::stable_sort(found.begin(), found.end(),
                     [](const Kept& a, const Kept& b) { return a.kept.deleted > b.kept.deleted; });
    return found;
  }

  /// The frames of a log from a byte on.
  static void add_log(Connection& connection, std::uint64_t study, std::uint64_t from,
                      const std::string& log) {
    constexpr std::size_t part = std::size_t{1} << 22U;  // bytes that are sent at a time
    const std::string_view bytes = log;
    Mark at;
    while (at.position < from) at = read_frame(bytes.substr(at.position), at).value().end;
    while (at.position < log.size()) {
      std::vector<std::uint64_t> positions;
      std::vector<std::string> data;
      for (const std::uint64_t begin = at.position;
           at.position < log.size() && at.position < begin + part;) {
        const Mark end = read_frame(bytes.substr(at.position), at).value().end;
        positions.push_back(at.position);
        data.emplace_back(bytes.substr(at.position, end.position - at.position));
        at = end;
      }
      connection.run(add_frames, {whole_value(study), whole_values(positions), bytes_values(data)});
    }
  }

  std::shared_ptr<SharedDatabase> shared_;
  std::string tenant_;
};

}  // namespace

std::shared_ptr<const Store::Place> postgres_place(const std::string& address,
                                                   const StoreOptions& options) {
  return std::make_shared<PostgresPlace>(std::make_shared<SharedDatabase>(address, options), "");
}

}  // namespace keyhole::studies
