// What a study plays and says, as JSON.

#pragma once

#include <string>
#include <vector>

#include "keyhole/store.h"
#include "studies/json/space_json.h"
#include "studies/json/tight_bounds.h"

namespace keyhole::studies {

/// JSON on one line, or with that many spaces a level. Numbers are the shortest that read back to
/// the same bits; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_text(const Json& json, int indent = -1);

/// How a tell was taken, in a word.
[[nodiscard]] std::string receipt_text(Receipt receipt);

/// What a study goes on with after its renewal, in a word.
[[nodiscard]] std::string renewal_text(Renewal renewal);

/// What a point stands for, by name; empty for a study on a set.
[[nodiscard]] Values likeliest(const Study& study, const std::vector<double>& point);

/// The contexts of what is played on; none for a study on a set.
[[nodiscard]] std::vector<SpaceContext> contexts_of(const Study& study);
/// The limits likewise.
[[nodiscard]] std::vector<SpaceLimit> limits_of(const Study& study);
/// The value of a context as a text has it: a number, unless it is a choice or the text is none.
[[nodiscard]] Value context_value(const Study& study, const std::string& name,
                                  const std::string& text);

/// {"values": {"timeout": 50}, "point": [3.9]}; without values for a study on a set.
[[nodiscard]] Json values_and_point(const Values& values, const std::vector<double>& point);
/// {"play": 1, "values": ..., "point": ...}.
[[nodiscard]] Json play_json(const StudyPlay& play);

/// Appends what json_text(play_json(play)) is, without the objects in between.
void append_play(const StudyPlay& play, std::string& text);

/// "points" or "witness"; throws InvalidArgument for another word.
[[nodiscard]] Facts read_facts(const std::string& word);

/// {"set": "simplex(3)", "learner": "default", "seed": 0, ...}: what a study is made of, by the
/// names of `keyhole study create`.
[[nodiscard]] Json description_json(const StudyDescription& description);

/// What a coin has shown, with the sentence; only its share if there is none.
[[nodiscard]] Json proof_json(const Proof& proof);

/// How limits are kept, by name, with a sentence each: {"p99": {"recent": 183, ...}}.
[[nodiscard]] Json limits_json(const std::vector<SpaceLimit>& limits, const Status& status,
                               bool maximize);

/// What has happened, and what the learner is doing: {"asked": 10, "told": 9, ...}.
[[nodiscard]] Json status_json(Study& study);

/// What a point is believed to cost: {"loss": 0.4, "loss_error": 0.02, "excess": 0.1,
/// "excess_error": 0.01}; with gains "gain" for "loss", and nothing where nothing is believed.
[[nodiscard]] Json estimate_json(const Estimate& estimate, bool maximize);

/// The bounds that may be too tight, by name: {"threads": 16}; empty if none is.
[[nodiscard]] Json bounds_json(const std::vector<TightBound>& bounds);

/// What is written on a study: {"note": "with the new index", "tags": ["prod"]}, each only if there
/// is something.
[[nodiscard]] Json label_json(const StudyLabel& label);

/// A change of the study: {"after": 100, "learned": 98, "dropped": 2}.
[[nodiscard]] Json change_json(const StudyChange& change);

/// A loss of the past: {"loss": 0.5, "count": 20, "values": {"batch": 32}, "point": [32]}; the
/// count only if it is not 1.
[[nodiscard]] Json past_json(const StudyPast& past);

/// A step of a log: {"step": 2, "tells": [{"play": 1, "loss": 0.5, "told": "fresh"}], "plays":
/// [2]}.
[[nodiscard]] Json record_json(std::uint64_t number, const StudyRecord& record);

}  // namespace keyhole::studies
