// How long the oracles of the sets of matrices take, where the time goes, what other libraries take
// for the same, and what two threads gain. The directions are matrices of independent normals,
// which is what the noise of bandit feedback looks like: the extreme eigenvalues crowd, so it is a
// hard case for Lanczos's method.
//
// Microseconds of processor time, medians; with several threads, of real time.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "figures.h"
#include "math/panels/panels.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/spectral/decompositions.h"
#include "math/spectral/extreme_pairs.h"
#include "spectral_floors.h"
#include "spectral_peers.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

using math::Method;

struct Directions {
  explicit Directions(std::size_t n, std::size_t count) : drawn(count, std::vector<double>(n * n)) {
    for (std::size_t k = 0; k < count; ++k) {
      math::gaussians(math::Ars(1, k), n, 0, drawn[k]);
      const auto size = static_cast<Eigen::Index>(n);
      const Eigen::MatrixXd a = Eigen::Map<const Eigen::MatrixXd>(drawn[k].data(), size, size);
      for_peers.push_back(a.transpose());
      symmetric.emplace_back((a + a.transpose()) / 2);
    }
  }

  std::vector<std::vector<double>> drawn;
  std::vector<Eigen::MatrixXd> for_peers;
  std::vector<Eigen::MatrixXd> symmetric;
};

void require_close(double value, double expected, double allowed, const std::string& what) {
  if (std::abs(value - expected) <= allowed * std::abs(expected)) return;
  std::fprintf(stderr, "%s: %.17g, not %.17g\n", what.c_str(), value, expected);
  std::exit(1);
}

/// The residuals to which pairs are found: the default, and the one that the limits of the page
/// were measured at, which stands in the names of the figures.
constexpr double fine = math::Lanczos::default_residual;
constexpr double coarse = 1e-6;

std::string named(const std::string& what, const std::string& set, std::size_t n,
                  double residual = fine) {
  return what + (residual == fine ? " " : " to 1e-6 ") + set + "/" + std::to_string(n);
}

/// The library and Spectra, to the same residual, and LAPACK next to the finer one; answers are
/// ours(i) and so on. Calls that take longer than a tenth of a second are timed once.
template <class Ours, class Spectra, class Lapack>
void add_peers(Figures& figures, const std::string& set, std::size_t n, double residual,
               const Directions& all, Ours ours, Spectra spectra, Lapack lapack) {
  const double exact = lapack(0);
  const auto time = [&](auto call) {
    const double start = processor_microseconds();
    const double value = call(0);
    const double once = processor_microseconds() - start;
    require_close(value, exact, std::max(residual, 1e-9), set);
    return once > 1e5 ? once
                      : median_microseconds([&](std::size_t i) { call(i % all.drawn.size()); });
  };
  figures.add(named("library", set, n, residual), time(ours));
  figures.add(named("spectra", set, n, residual), time(spectra));
  if (residual == fine) figures.add(named("lapack", set, n), time(lapack));
}

void add_order(Figures& figures, std::size_t n, double residual) {
  const Directions all(n, n > 500 ? 3 : 5);
  math::ExtremeEigenpair pair(n, Method::fastest, 1, residual);
  math::TopSingularPair top(n, n, Method::fastest, 1, residual);
  Lapack lapack(static_cast<int>(n));
  add_peers(
      figures, "psd_trace_ball", n, residual, all,
      [&](std::size_t i) { return pair.smallest(all.drawn[i]); },
      [&](std::size_t i) { return spectra_smallest(all.symmetric[i], residual); },
      [&](std::size_t i) { return lapack.smallest(all.symmetric[i]); });
  add_peers(
      figures, "symmetric_nuclear_ball", n, residual, all,
      [&](std::size_t i) { return pair.largest_in_magnitude(all.drawn[i]); },
      [&](std::size_t i) { return spectra_largest_in_magnitude(all.symmetric[i], residual); },
      [&](std::size_t i) { return lapack.largest_in_magnitude(all.symmetric[i]); });
  add_peers(
      figures, "nuclear_ball", n, residual, all,
      [&](std::size_t i) { return top.find(all.drawn[i]); },
      [&](std::size_t i) { return spectra_top(all.for_peers[i], residual); },
      [&](std::size_t i) { return lapack.top(all.for_peers[i]); });
}

/// How many products a call by Lanczos's method makes.
template <class Panels, class Load>
void add_counts(Figures& figures, const std::string& set, std::size_t n, const Directions& all,
                Panels& panels, Load load) {
  const auto multiply = [&](std::span<const double> x, std::span<double> y) {
    panels.multiply(x, y);
  };
  const auto roughly = [&](std::span<const double> x, std::span<double> y) {
    panels.multiply_roughly(x, y);
  };
  for (const double residual : {fine, coarse}) {
    math::Lanczos lanczos(n, residual);
    double exact = 0;
    double rough = 0;
    for (const auto& a : all.drawn) {
      load(a);
      if (set == "symmetric_nuclear_ball") {
        lanczos.find_both(multiply, roughly, math::rough_error);
      } else {
        lanczos.find_smallest(multiply, roughly, math::rough_error);
      }
      rough += static_cast<double>(lanczos.rough_products());
      exact += static_cast<double>(lanczos.products() - lanczos.rough_products());
    }
    const auto count = static_cast<double>(all.drawn.size());
    figures.add(named("exact products", set, n, residual), exact / count);
    figures.add(named("rough products", set, n, residual), rough / count);
  }
}

/// A product with some entries of T, and what it cannot be faster than.
template <class T, class Product, class Move>
void add_product(Figures& figures, const std::string& kind, const std::string& set, std::size_t n,
                 std::size_t entries, Product product, Move move) {
  const std::vector<T> a(entries, T{1});
  const std::vector<T> x(n, T{1});
  std::vector<T> y(n);
  double sink = 0;
  figures.add(named(kind + " product", set, n),
              median_microseconds([&](std::size_t) { product(); }));
  figures.add(named("moving " + kind, set, n),
              median_microseconds([&](std::size_t) { move(a, x, y); }));
  figures.add(named("reading " + kind, set, n),
              median_microseconds([&](std::size_t) { sink += read(a); }));
  if (sink == 0.5) std::printf("\n");
}

/// The parts of a call by Lanczos's method.
void add_parts_of_order(Figures& figures, std::size_t n) {
  const Directions all(n, 3);
  math::SymmetricPanels symmetric(n, 1);
  math::GramPanels gram(n, n, 1);
  const auto load_symmetric = [&](std::span<const double> a) { symmetric.load(a); };
  const auto load_gram = [&](std::span<const double> a) { gram.load(a, false); };
  const std::string psd = "psd_trace_ball";
  const std::string nuclear = "nuclear_ball";
  add_counts(figures, psd, n, all, symmetric, load_symmetric);
  add_counts(figures, "symmetric_nuclear_ball", n, all, symmetric, load_symmetric);
  add_counts(figures, nuclear, n, all, gram, load_gram);
  figures.add(named("load", psd, n), median_microseconds([&](std::size_t i) {
                load_symmetric(all.drawn[i % all.drawn.size()]);
              }));
  figures.add(named("load", nuclear, n), median_microseconds([&](std::size_t i) {
                load_gram(all.drawn[i % all.drawn.size()]);
              }));
  const math::Lanczos lanczos(n);
  std::vector<double> y(n);
  const std::vector<double> x(lanczos.start().begin(), lanczos.start().end());
  const std::size_t half = n * (n + 4) / 2;
  add_product<double>(
      figures, "exact", psd, n, half, [&] { symmetric.multiply(x, y); }, move_symmetric<double>);
  add_product<float>(
      figures, "rough", psd, n, half, [&] { symmetric.multiply_roughly(x, y); },
      move_symmetric<float>);
  add_product<double>(
      figures, "exact", nuclear, n, n * n, [&] { gram.multiply(x, y); }, move_gram<double>);
  add_product<float>(
      figures, "rough", nuclear, n, n * n, [&] { gram.multiply_roughly(x, y); }, move_gram<float>);
}

/// The least real time of some calls: others on the machine only add to it.
template <class Call>
double least_microseconds(Call call) {
  double least = HUGE_VAL;
  double total = 0;
  for (int k = 0; k < 8 && (k < 2 || total < 1.5e6); ++k) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count());
    total += time.count();
  }
  return least;
}

void add_threads(Figures& figures, std::size_t n) {
  std::vector<double> a(n * n);
  math::gaussians(math::Ars(1, 0), n, 0, a);
  for (const unsigned threads : {1U, 2U}) {
    const std::string with = std::to_string(threads) + " threads";
    {
      math::ExtremeEigenpair pair(n, Method::fastest, threads);
      figures.add(named(with, "psd_trace_ball", n), least_microseconds([&] { pair.smallest(a); }));
    }
    math::TopSingularPair top(n, n, Method::fastest, threads);
    figures.add(named(with, "nuclear_ball", n), least_microseconds([&] { top.find(a); }));
  }
}

/// Where the two methods cross is math::largest_direct_order.
void add_methods(Figures& figures, std::size_t n) {
  const Directions all(n, 3);
  for (const auto& [name, method] :
       {std::pair{"direct", Method::direct}, std::pair{"lanczos", Method::lanczos}}) {
    math::ExtremeEigenpair pair(n, method);
    math::TopSingularPair top(n, n, method);
    figures.add(named(name, "psd_trace_ball", n), median_microseconds([&](std::size_t i) {
                  pair.smallest(all.drawn[i % all.drawn.size()]);
                }));
    figures.add(named(name, "nuclear_ball", n), median_microseconds([&](std::size_t i) {
                  top.find(all.drawn[i % all.drawn.size()]);
                }));
  }
}

/// All eigenpairs, by Eigen and by SymmetricDecomposition.
void print_whole_spectra() {
  std::printf("| order | by Eigen, us | own, us | ratio |\n|---|---|---|---|\n");
  for (const std::size_t n : {20U, 100U, 400U}) {
    const Directions directions(n, 3);
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> by_eigen(static_cast<Eigen::Index>(n));
    math::SymmetricDecomposition decomposition(n);
    std::vector<double> of_eigen;
    std::vector<double> own;
    for (std::size_t k = 0; k < 30; ++k) {
      const Eigen::MatrixXd& a = directions.symmetric[k % directions.symmetric.size()];
      const std::span<const double> numbers(a.data(), n * n);
      double start = processor_microseconds();
      by_eigen.compute(a);
      of_eigen.push_back(processor_microseconds() - start);
      start = processor_microseconds();
      const std::span<const double> values = decomposition.decompose(numbers);
      own.push_back(processor_microseconds() - start);
      require_close(values.back(), by_eigen.eigenvalues()[static_cast<Eigen::Index>(n - 1)], 1e-12,
                    "the largest eigenvalue");
    }
    std::sort(of_eigen.begin(), of_eigen.end());
    std::sort(own.begin(), own.end());
    std::printf("| %zu | %.0f | %.0f | %.2f |\n", n, of_eigen[15], own[15], own[15] / of_eigen[15]);
  }
}

}  // namespace
}  // namespace keyhole::bench

int main(int count, char** arguments) {
  using namespace keyhole::bench;
  if (count > 1 && std::string(arguments[1]) == "--whole") {
    print_whole_spectra();
    return 0;
  }
  Figures figures;
  for (const std::size_t n : {20U, 200U, 1000U}) add_order(figures, n, fine);
  for (const std::size_t n : {200U, 1000U}) add_order(figures, n, coarse);
  for (const std::size_t n : {200U, 1000U}) add_parts_of_order(figures, n);
  for (const std::size_t n : {64U, 100U, 128U}) add_methods(figures, n);
  for (const std::size_t n : {1000U, 2000U, 4000U}) add_threads(figures, n);
  figures.say("blas", openblas_get_config());
  figures.print(wants_json(count, arguments));
  return 0;
}
