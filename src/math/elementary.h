// exp, log and pow from + - * / and bit operations only, so that their digits are the same with
// every compiler, C library and processor. (The functions of libm differ in the last place from one
// library to the next.)
//
// Pure functions, thread-safe. Errors are in units in the last place (ulp) of the result. Special
// values are those of libm; no floating-point exception flag and no errno is promised.

#pragma once

#include <span>

namespace keyhole::math {

// e^x, error below 1 ulp (1.5 ulp where the result is subnormal). exp(0) = 1; 0 below about
// -745.13, infinite above about 709.78.
double exp(double x) noexcept;

// The natural logarithm, error below 1 ulp. log(1) = 0, log(0) = -infinity, not a number below 0.
double log(double x) noexcept;

// x^y for x >= 0, error below 1 ulp (1.5 ulp where the result is subnormal), computed as exp(y log
// x) with a logarithm of 66 bits: where x^y is a double, it comes out exactly (4096^0.75 = 512), so
// that rounding it to a whole number is safe. pow(1, y) = pow(x, 0) = 1 for all x and y; not a
// number for x < 0, unless y = 0.
double pow(double x, double y) noexcept;

// z_i = pow(first + i, y), bit for bit, many at a fraction of the cost. For whole numbers first + i
// from 1 to 2^53 and |y| <= 16.
void powers(double first, double y, std::span<double> z) noexcept;

}  // namespace keyhole::math
