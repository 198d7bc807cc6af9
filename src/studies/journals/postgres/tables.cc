#include "studies/journals/postgres/tables.h"

#include <array>

#include "keyhole/study.h"

namespace keyhole::studies {
namespace {

/// What leads from each version to the next, from no table at all on. They are never changed: a new
/// version adds steps at the end.
constexpr std::array<std::array<const char*, 3>, 3> migrations = {
    {{
         // A study is known by its number, which is never used again.
         "create table keyhole_study (id bigint generated always as identity primary key, "
         "tenant text collate \"C\" not null, name text collate \"C\" not null, unique (tenant, "
         "name))",
         // A frame of its log, at the byte where it begins. It never changes.
         "create table keyhole_frame (study bigint not null, position bigint not null, "
         "data bytea not null, primary key (study, position))",
         "create table keyhole_snapshot (study bigint not null, position bigint not null, "
         "data bytea not null, primary key (study, position))",
     },
     {
         // An array next to its log, by its name. It never changes.
         "create table keyhole_content (study bigint not null, name text collate \"C\" not null, "
         "data bytea not null, primary key (study, name))",
     },
     {
         // What people write on a study.
         "alter table keyhole_study add column label text not null default ''",
     }}};

constexpr Statement find_table = {"find_table", "select to_regclass('keyhole_version')::oid::int8"};
constexpr Statement make_table = {
    "make_table",
    "create table if not exists keyhole_version (version bigint primary key, "
    "at timestamptz not null default now())"};
constexpr Statement read_version = {"read_version",
                                    "select coalesce(max(version), 0) from keyhole_version"};
constexpr Statement lock_table = {"lock_table", "lock table keyhole_version in exclusive mode"};
constexpr Statement add_version = {"add_version", "insert into keyhole_version values ($1::int8)"};

/// The version of the tables. Throws StudyError if it is newer than this program.
std::uint64_t known_version(Connection& connection, const std::string& place) {
  const std::uint64_t version = connection.run(read_version).whole(0, 0);
  if (version <= migrations.size()) return version;
  throw StudyError("the database " + place + " has version " + std::to_string(version) +
                   " of the tables, and this program knows " + std::to_string(migrations.size()) +
                   ": use the version of Keyhole that made them");
}

bool has_version_table(Connection& connection) {
  return connection.run(find_table).whole(0, 0) != 0;
}

/// The table of versions, which several processes may make at a time. What the losers are told
/// depends on how far the winner was, so they look again.
void make_version_table(Connection& connection) {
  try {
    connection.run(make_table);
  } catch (const DatabaseError&) {
    const bool others_were_first = connection.is_sound() && has_version_table(connection);
    if (!others_were_first) throw;
  }
}

void migrate(Connection& connection, const std::string& place) {
  connection.run({"begin", "begin"});
  try {
    connection.run(lock_table);
    for (std::uint64_t from = known_version(connection, place); from < migrations.size(); ++from) {
      for (std::size_t k = 0; k < migrations[from].size() && migrations[from][k] != nullptr; ++k) {
        const std::string name = "migrate" + std::to_string(from) + "_" + std::to_string(k);
        connection.run({name.c_str(), migrations[from][k]});
      }
      connection.run(add_version, {whole_value(from + 1)});
    }
    connection.run({"commit", "commit"});
  } catch (...) {
    if (connection.is_sound()) connection.run({"rollback", "rollback"});
    throw;
  }
}

}  // namespace

void require_tables(Connection& connection, const std::string& place) {
  if (!has_version_table(connection)) make_version_table(connection);
  if (known_version(connection, place) < migrations.size()) migrate(connection, place);
}

}  // namespace keyhole::studies
