#pragma once

#include <string>

namespace keyhole::tests {

/// The message of the exception of that type that the call throws.
template <typename Exception, typename Call>
std::string message(Call call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace keyhole::tests
