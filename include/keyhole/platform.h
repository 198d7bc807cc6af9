#pragma once

/// \file
/// What this library assumes of compiler and machine, said before anything else fails. The header
/// of every part leads here.

#ifdef _MSC_VER
#error "Keyhole does not support MSVC: use gcc or clang (on Windows in WSL)"
#elif !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error \
    "Keyhole does not support big-endian machines: its random bits are bytes in little-endian order"
#endif

#include <cfloat>
#include <cstddef>
#include <limits>

#ifndef __wasm__
static_assert(sizeof(std::size_t) == 8, "Keyhole needs a 64-bit machine");
#endif
static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53 &&
                  FLT_EVAL_METHOD == 0,
              "Keyhole needs IEEE doubles, each product and sum of which is rounded to a double");
