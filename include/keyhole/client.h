#pragma once

#include <memory>
#include <string>
#include <vector>

#include "keyhole/store.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// A service that cannot be reached, or does not do what it was asked. What a study refuses is
/// thrown as Study and Store throw it, with the same codes: FeedbackError, InvalidArgument,
/// SpecError and StudyError.
class ServiceError : public Error {
 public:
  /// With a message, and the status of the answer; 0 if there was none.
  explicit ServiceError(const std::string& message, int status = 0,
                        ErrorCode code = ErrorCode::other)
      : Error(message, code), status_(status) {}

  /// The status of the answer, as HTTP has it; 0 if there was none.
  [[nodiscard]] int status() const noexcept { return status_; }

 private:
  int status_;
};

/// How a service is called.
struct ClientOptions {
  /// What `keyhole token new` has printed; empty for a service without tokens.
  std::string token = {};
  /// A file (PEM) of certificates to trust, for an address of https; empty for those that the
  /// system trusts.
  std::string ca = {};
  /// For how many seconds a call is made again that gets no answer.
  double patience = 30;
};

/// A study of a service, with the methods of Study. Not thread-safe: open one for each thread.
///
/// A call that gets no answer is made again where that is safe: tells are counted once, and a
/// worker gets its play again. An ask of nobody in particular is not made again: it throws
/// ServiceError, and the play that it may have made expires.
class RemoteStudy {
 public:
  /// Moves; what is moved from may only be assigned to or destroyed.
  RemoteStudy(RemoteStudy&&) noexcept;
  /// Moves, likewise.
  RemoteStudy& operator=(RemoteStudy&&) noexcept;
  ~RemoteStudy();

  /// The next play, in a context as Study::ask() has it; a worker gets the play again that it has
  /// not told, with the context that it was made for.
  [[nodiscard]] StudyPlay ask(const std::string& worker = "", const Values& context = {});
  /// That many plays, as one unit.
  [[nodiscard]] std::vector<StudyPlay> ask_many(std::size_t count, const Values& context = {});
  /// Tells the loss of a play. Throws FeedbackError as Study::tell().
  Receipt tell(PlayId id, double loss, double count = 1);
  /// The same with what was measured besides.
  Receipt tell(PlayId id, double loss, const Values& metrics, double count = 1);
  /// Tells metrics of a play without its loss.
  void measure(PlayId id, const Values& metrics);
  /// Tells and asks as one unit. A worker that gets no answer looks whether its tells were taken:
  /// nothing is told twice.
  StudyStep step(const std::vector<StudyTell>& tells, std::size_t asks = 1,
                 const std::string& worker = "", const Values& context = {});
  /// Learns losses of the past as one unit, as Study::learn(). A call without an id gets one of its
  /// own, so that it is made again if the answer is lost. A service takes a thousand losses a call,
  /// unless it was told otherwise.
  PastReceipt learn(const std::vector<StudyPast>& past, Outside outside = Outside::refuse,
                    const std::string& id = "");
  /// One loss of all values by name, for a study on a space.
  void learn(const Values& values, double loss, double count = 1);
  /// One loss of a point of the set.
  void learn(const std::vector<double>& point, double loss, double count = 1);
  /// How many losses of the past it has learned.
  [[nodiscard]] std::uint64_t past();
  /// Switches exploring off or on for all who ask. Needs a token of scope admin.
  void explore(bool on);
  /// Whether exploring is on.
  [[nodiscard]] bool explores();
  /// Has a coin make that share of the plays at the start, as Study::prove(). Needs a token of
  /// scope admin.
  void prove(double share);
  /// What the coin has shown, as Status::proof.
  [[nodiscard]] Proof proof();
  /// The point to deploy, in a context.
  [[nodiscard]] std::vector<double> recommend(const Values& context = {});
  /// What to deploy, by name; empty for a study on a set.
  [[nodiscard]] Values recommend_values(const Values& context = {});
  /// What points are believed to cost, as Study::estimate(); up to 1,000 of them.
  [[nodiscard]] std::vector<Estimate> estimate(const std::vector<std::vector<double>>& points,
                                               const Values& context = {});
  /// What can be had of a metric, as Study::front(). The service reads its log for it.
  [[nodiscard]] std::vector<FrontPoint> front(const std::string& metric = "");
  /// Counts and the average loss; calls of oracles and losses above a bound are not counted.
  [[nodiscard]] Summary summary();
  /// The state of the learner.
  [[nodiscard]] State state();

  /// Its own.
  class [[gnu::visibility("hidden")]] Body;

 private:
  friend class Client;

  explicit RemoteStudy(std::unique_ptr<Body> body);

  std::unique_ptr<Body> body_;
};

/// The studies of a service, with the methods of Store.
class Client {
 public:
  /// At an address such as "http://127.0.0.1:8600" or "https://tune.example.org". Throws
  /// InvalidArgument for another one, and for https if the library was built without TLS.
  explicit Client(std::string address, ClientOptions options = {});

  /// A new study, or the one of that name if it has the same description.
  [[nodiscard]] RemoteStudy create(const std::string& name,
                                   const StudyDescription& description) const;
  /// The study of a name. Throws StudyError if there is none.
  [[nodiscard]] RemoteStudy open(const std::string& name) const;
  /// The names, in order.
  [[nodiscard]] std::vector<std::string> list() const;
  /// What was written on a study. Throws StudyError if there is none.
  [[nodiscard]] StudyLabel label(const std::string& name) const;
  /// Writes on a study, as Store::set_label(). Needs a token of scope admin.
  void set_label(const std::string& name, const StudyLabel& label) const;
  /// The studies that fit, as Store::find(), of those that the token is for.
  [[nodiscard]] std::vector<LabelledStudy> find(const StudySearch& search) const;
  /// Lets a study go on on another space with what was learned, as Store::change(). Needs a token
  /// of scope admin.
  StudyChange change(const std::string& name, const Space& space, const Values& start = {}) const;
  /// Lets a study go on that another version has made, as Store::renew(). Needs a token of scope
  /// admin. A call that was made again after a lost answer may return Renewal::not_needed.
  Renewal renew(const std::string& name, bool dry_run = false) const;
  /// Copies a study of a store to the service, as Store::copy() does: its log byte for byte, and
  /// its label. The call may be made again, and then sends what is missing. Throws StudyError if
  /// there is another study of that name. Arrays that are kept next to a log cannot be copied so.
  /// Needs a token of scope admin.
  void copy(const Store& from, const std::string& name) const;
  /// Deletes a study and all that it learned.
  void remove(const std::string& name) const;
  /// Brings back the study of that name that was deleted last, as Store::undelete(), if the service
  /// keeps it. Needs a token of scope admin.
  void undelete(const std::string& name) const;

 private:
  std::string address_;
  ClientOptions options_;
};

/// The studies of the service at an address: connect("http://127.0.0.1:8600").open("blocks").
[[nodiscard]] inline Client connect(const std::string& address, ClientOptions options = {}) {
  return Client(address, std::move(options));
}

}  // namespace keyhole
#pragma GCC visibility pop
