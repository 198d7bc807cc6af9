#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/matroids.h"
#include "sets/wholes_text.h"

namespace keyhole {

SubmodularFunction::SubmodularFunction(std::size_t size) : size_(size) {
  base::require(size >= 2,
                "a submodular function needs at least 2 elements, not " + std::to_string(size));
}

double SubmodularFunction::value(std::span<const std::size_t> elements) const {
  const auto grown = gains();
  double sum = 0;
  for (const std::size_t element : elements) sum += grown->add(element);
  return sum;
}

namespace sets {
namespace {

using Vector = std::vector<double>;

void require_weight(const std::string& what, double weight) {
  base::require(base::is_moderate(weight) && weight > 0,
                "the weight of " + what + " must be positive and at most 1e50, not " +
                    base::number_text(weight));
}

class CutFunction final : public SubmodularFunction {
 public:
  struct End {
    std::size_t other = 0;
    double weight = 0;
  };

  CutFunction(std::size_t nodes, std::span<const Edge> edges, std::span<const double> weights)
      : SubmodularFunction(nodes),
        edges_(edges.begin(), edges.end()),
        weights_(weights.begin(), weights.end()),
        ends_(nodes) {
    base::require(edges.size() == weights.size(),
                  "a cut function needs a weight for each of its " + std::to_string(edges.size()) +
                      " edges, not " + std::to_string(weights.size()));
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const auto [from, to] = edges_[e];
      const std::string what = "edge " + std::to_string(e);
      base::require(from < nodes && to < nodes,
                    what + " has an end that is no node: there are " + std::to_string(nodes));
      base::require(from != to, what + " leads from a node to itself: leave it out");
      require_weight(what, weights_[e]);
      ends_[from].push_back({to, weights_[e]});
      ends_[to].push_back({from, weights_[e]});
    }
  }

  [[nodiscard]] std::unique_ptr<SubmodularGains> gains() const override {
    return std::make_unique<Gains>(ends_);
  }
  [[nodiscard]] std::string spec() const override {
    std::string edges;
    for (const auto& [from, to] : edges_) {
      edges +=
          (edges.empty() ? "[" : ", [") + std::to_string(from) + ", " + std::to_string(to) + "]";
    }
    return "cut_bases(" + std::to_string(size()) + ", [" + edges +
           "], weights=" + base::list_text(weights_, true) + ")";
  }

 private:
  class Gains final : public SubmodularGains {
   public:
    explicit Gains(const std::vector<std::vector<End>>& ends) : ends_(ends), is_in_(ends.size()) {}
    void reset() override {
      std::fill(is_in_.begin(), is_in_.end(), static_cast<unsigned char>(0));
    }
    double add(std::size_t element) override {
      double gain = 0;
      for (const End& end : ends_[element]) {
        gain += is_in_[end.other] != 0 ? -end.weight : end.weight;
      }
      is_in_[element] = 1;
      return gain;
    }

   private:
    const std::vector<std::vector<End>>& ends_;
    std::vector<unsigned char> is_in_;
  };

  std::vector<Edge> edges_;
  Vector weights_;
  std::vector<std::vector<End>> ends_;
};

class CoverageFunction final : public SubmodularFunction {
 public:
  CoverageFunction(const std::vector<std::vector<std::size_t>>& covers,
                   std::span<const double> weights)
      : SubmodularFunction(covers.size()),
        covers_(covers),
        weights_(weights.begin(), weights.end()) {
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      require_weight("place " + std::to_string(i), weights_[i]);
    }
    for (std::size_t e = 0; e < covers_.size(); ++e) {
      const std::string what = "element " + std::to_string(e);
      base::require(!covers_[e].empty(),
                    what + " covers nothing, so its coordinate is 0: leave it out");
      std::vector<std::size_t> sorted = covers_[e];
      std::sort(sorted.begin(), sorted.end());
      base::require(sorted.back() < weights_.size(),
                    what + " covers place " + std::to_string(sorted.back()) + ", and there are " +
                        std::to_string(weights_.size()) + " weights");
      base::require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
                    what + " covers a place twice");
    }
  }

  [[nodiscard]] std::unique_ptr<SubmodularGains> gains() const override {
    return std::make_unique<Gains>(*this);
  }
  [[nodiscard]] std::string spec() const override {
    std::string covers;
    for (const auto& places : covers_) covers += (covers.empty() ? "" : ", ") + wholes_text(places);
    return "coverage_bases([" + covers + "], weights=" + base::list_text(weights_, false) + ")";
  }

 private:
  class Gains final : public SubmodularGains {
   public:
    explicit Gains(const CoverageFunction& of) : of_(of), is_covered_(of.weights_.size()) {}
    void reset() override {
      std::fill(is_covered_.begin(), is_covered_.end(), static_cast<unsigned char>(0));
    }
    double add(std::size_t element) override {
      double gain = 0;
      for (const std::size_t place : of_.covers_[element]) {
        if (is_covered_[place] == 0) gain += of_.weights_[place];
        is_covered_[place] = 1;
      }
      return gain;
    }

   private:
    const CoverageFunction& of_;
    std::vector<unsigned char> is_covered_;
  };

  std::vector<std::vector<std::size_t>> covers_;
  Vector weights_;
};

class OwnFunction final : public SubmodularFunction {
 public:
  using Value = std::function<double(std::span<const std::size_t>)>;

  OwnFunction(std::size_t n, Value value, std::string name)
      : SubmodularFunction(n), value_(std::move(value)), name_(std::move(name)) {
    base::require(static_cast<bool>(value_), "a submodular function of your own needs its values");
    base::require(!name_.empty() && name_.find('\n') == std::string::npos,
                  "the name of a set must be one line of text");
    const double nothing = value_({});
    base::require(nothing == 0, "a submodular function must be 0 for the empty set, not " +
                                    base::number_text(nothing));
    require_falling_gains();
  }

  [[nodiscard]] std::unique_ptr<SubmodularGains> gains() const override {
    return std::make_unique<Gains>(*this);
  }
  [[nodiscard]] std::string spec() const override { return name_; }

 private:
  class Gains final : public SubmodularGains {
   public:
    explicit Gains(const OwnFunction& of) : of_(of) { elements_.reserve(of.size()); }
    void reset() override {
      elements_.clear();
      last_ = 0;
    }
    double add(std::size_t element) override {
      elements_.push_back(element);
      const double before = std::exchange(last_, of_.checked(elements_));
      return last_ - before;
    }

   private:
    const OwnFunction& of_;
    std::vector<std::size_t> elements_;
    double last_ = 0;
  };

  [[nodiscard]] double checked(std::span<const std::size_t> elements) const {
    const double result = value_(elements);
    base::require(base::is_moderate(result),
                  "the values of a submodular function must be numbers of magnitude up to 1e50, "
                  "not " +
                      base::number_text(result));
    return result;
  }

  /// Element k + 1 adds no more to {0, ..., k} than to {0, ..., k - 1}.
  void require_falling_gains() const {
    std::vector<std::size_t> first;
    double largest = 0;
    for (std::size_t k = 0; k + 1 < size(); ++k) {
      const double before = checked(first);
      first.push_back(k + 1);
      const double later = checked(first) - before;
      first.back() = k;
      const double with = checked(first);
      first.push_back(k + 1);
      const double both = checked(first);
      first.pop_back();
      for (const double value : {before, with, both}) largest = std::max(largest, std::abs(value));
      base::require(both - with <= later + 1e-12 * largest,
                    "the function is not submodular: element " + std::to_string(k + 1) + " adds " +
                        base::number_text(both - with) + " to the elements up to " +
                        std::to_string(k) + ", and " + base::number_text(later) +
                        " to those before " + std::to_string(k));
    }
  }

  Value value_;
  std::string name_;
};

}  // namespace

SubmodularPtr cut_function(std::size_t nodes, List<Edge> edges, List<double> weights) {
  return std::make_shared<CutFunction>(nodes, edges, weights);
}

SubmodularPtr coverage_function(const std::vector<std::vector<std::size_t>>& covers,
                                List<double> weights) {
  return std::make_shared<CoverageFunction>(covers, weights);
}

SubmodularPtr submodular_function(
    std::size_t n, std::function<double(std::span<const std::size_t> elements)> value,
    std::string name) {
  return std::make_shared<OwnFunction>(n, std::move(value), std::move(name));
}

}  // namespace sets
}  // namespace keyhole
