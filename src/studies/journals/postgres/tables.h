#pragma once

#include <string>

#include "studies/journals/postgres/connection.h"

namespace keyhole::studies {

/// Makes the tables of a database, or brings them up to date. Throws StudyError, and leaves them,
/// if a newer version has made them. `place` is for the message.
void require_tables(Connection& connection, const std::string& place);

}  // namespace keyhole::studies
