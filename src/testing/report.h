#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "keyhole/testing.h"

namespace keyhole::testing {

/// What a check has to say: nothing, or what is wrong.
using Complaint = std::string;

/// Runs one check and adds its name and its complaint to the report. An exception is a complaint.
void run_check(Report& report, const std::string& name, const std::function<Complaint()>& check);

/// "[0.5, -1, ...]": the first few coordinates.
std::string short_list(std::span<const double> values);

inline std::string as_text(const std::string& part) { return part; }
inline std::string as_text(const char* part) { return part; }
inline std::string as_text(double part) { return base::number_text(part); }
inline std::string as_text(std::size_t part) { return std::to_string(part); }
inline std::string as_text(const std::vector<double>& part) { return short_list(part); }

/// The parts, as text, one after the other.
template <class... Parts>
std::string say(const Parts&... parts) {
  return (std::string() + ... + as_text(parts));
}

}  // namespace keyhole::testing
