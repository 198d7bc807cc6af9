#include "experiment/config.h"

#include <gtest/gtest.h>

#include "catalogue.h"
#include "instances.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using experiment::Experiment;
using experiment::Named;
using experiment::parse_experiment;
using experiment::PosedProblem;
using experiment::print_config;

const std::string valid_end = "problems = ['target']\nlearners = ['anytime']\n";

Experiment parse(const std::string& text) {
  return parse_experiment(text, "study.toml", "", catalogue());
}

std::string refusal(const std::string& text) {
  return message<InputError>([&] { (void)parse(text); });
}

TEST(Config, DefaultsAndControls) {
  const Experiment experiment = parse("rounds = 100\n" + valid_end);
  EXPECT_EQ(experiment.rounds, 100U);
  EXPECT_EQ(experiment.repeats, 1U);
  EXPECT_EQ(experiment.seed, 0U);
  EXPECT_TRUE(experiment.controls);
  EXPECT_EQ(experiment.problems, (std::vector<PosedProblem>{{{"target", "target"}}}));
  EXPECT_EQ(experiment.learners, (std::vector<Named>{{"anytime", "anytime"}}));
  EXPECT_EQ(experiment.players, (std::vector<Named>{{"anytime", "anytime"},
                                                    {"stay", "stay"},
                                                    {"random_vertex", "random_vertex"},
                                                    {"fed_constant", "fed_constant(anytime)"}}));
  EXPECT_EQ(experiment.text, "rounds = 100\n" + valid_end);
}

TEST(Config, AllKeysAndBothForms) {
  const Experiment experiment = parse(
      "title = 'Two learners'\nrounds = 1_000\nrepeats = 7\nseed = 9\ncontrols = false\nproblems = "
      "'target'\n"
      "learners = ['ogd', {name = 'A \"quoted\", long name', spec = 'anytime'}]\n");
  EXPECT_EQ(experiment.title, "Two learners");
  EXPECT_EQ(experiment.rounds, 1000U);
  EXPECT_EQ(experiment.repeats, 7U);
  EXPECT_EQ(experiment.seed, 9U);
  EXPECT_EQ(experiment.learners,
            (std::vector<Named>{{"ogd", "ogd"}, {"A \"quoted\", long name", "anytime"}}));
  EXPECT_EQ(experiment.players, experiment.learners);
}

TEST(Config, TheConstantIsFedToTheFirstLearnerOfLosses) {
  const Experiment experiment =
      parse("rounds = 9\nproblems = ['target']\nlearners = ['ogd', 'stay', 'projection_free']\n");
  EXPECT_EQ(experiment.players,
            (std::vector<Named>{{"ogd", "ogd"},
                                {"stay", "stay"},
                                {"projection_free", "projection_free"},
                                {"random_vertex", "random_vertex"},
                                {"fed_constant", "fed_constant(projection_free)"}}));
  // Nobody to feed.
  EXPECT_EQ(parse("rounds = 9\nproblems = ['target']\nlearners = 'ogd'\n").players.size(), 3U);
}

TEST(Config, PrintedConfigParsesBackToTheSame) {
  for (const std::string& text :
       {"rounds = 12\n" + valid_end,
        std::string(
            "rounds = 3\ncheckpoints = [1, 3]\nslowest = 1e-3\nproblems = ['target', {name = "
            "'late', "
            "spec = 'target', delay = 20, missing = 0.3, max_step = 0.1, normalise = "
            "1e-3}]\nlearners = 'ogd'"),
        std::string(
            "title = 'a \"b\"'\nrounds = 3\nrepeats = 2\nseed = 5\ncontrols = false\nproblems = "
            "[{name = 'a \\ \"b\"', spec = 'target'}]\nlearners = ['ogd', 'anytime']")}) {
    const Experiment once = parse(text);
    const Experiment twice = parse(print_config(once));
    EXPECT_EQ(print_config(twice), print_config(once));
    EXPECT_EQ(twice.title, once.title);
    EXPECT_EQ(twice.rounds, once.rounds);
    EXPECT_EQ(twice.repeats, once.repeats);
    EXPECT_EQ(twice.seed, once.seed);
    EXPECT_EQ(twice.checkpoints, once.checkpoints);
    EXPECT_EQ(twice.slowest, once.slowest);
    EXPECT_EQ(twice.controls, once.controls);
    EXPECT_EQ(twice.problems, once.problems);
    EXPECT_EQ(twice.learners, once.learners);
    EXPECT_EQ(twice.players, once.players);
  }
  EXPECT_EQ(print_config(parse("rounds = 12\n" + valid_end)),
            "rounds = 12\nrepeats = 1\nseed = 0\ncontrols = true\n"
            "problems = [\n  {name = \"target\", spec = \"target\"},\n]\n"
            "learners = [\n  {name = \"anytime\", spec = \"anytime\"},\n]\n");
}

TEST(Config, RefusalsNameFileAndLine) {
  EXPECT_EQ(refusal("# a study\n\nround = 5\n" + valid_end),
            "study.toml:3: unknown key 'round'; did you mean 'rounds'?");
  EXPECT_EQ(refusal("rounds = 5\nlerners = 'a'\n" + valid_end),
            "study.toml:2: unknown key 'lerners'; did you mean 'learners'?");
  EXPECT_EQ(refusal(valid_end), "study.toml: the key 'rounds' is missing: how long each run is");
  EXPECT_EQ(refusal("rounds = 5\nlearners = ['anytime']"),
            "study.toml: the key 'problems' is missing: which problems to run");
  EXPECT_EQ(refusal("rounds = 5\nproblems = ['target']"),
            "study.toml: the key 'learners' is missing: which learners to run");
  EXPECT_EQ(refusal("title = 5\nrounds = 5\n" + valid_end), "study.toml:1: 'title' must be a text");
  EXPECT_EQ(refusal("rounds = 'many'\n" + valid_end),
            "study.toml:1: 'rounds' must be a whole number, such as 1_000");
  EXPECT_EQ(refusal("rounds = 1e3\n" + valid_end),
            "study.toml:1: 'rounds' must be a whole number, such as 1_000");
  EXPECT_EQ(refusal("rounds = 0\n" + valid_end),
            "study.toml:1: 'rounds' must be from 1 to 1099511627776, not 0");
  EXPECT_EQ(refusal("rounds = 1099511627777\n" + valid_end),
            "study.toml:1: 'rounds' must be from 1 to 1099511627776, not 1099511627777");
  EXPECT_EQ(refusal("rounds = 5\nrepeats = -1\n" + valid_end),
            "study.toml:2: 'repeats' must be from 1 to 1000000, not -1");
  EXPECT_EQ(refusal("rounds = 5\nseed = -1\n" + valid_end),
            "study.toml:2: 'seed' must be from 0 to 9223372036854775807, not -1");
  EXPECT_EQ(refusal("rounds = 5\ncontrols = 1\n" + valid_end),
            "study.toml:2: 'controls' must be true or false");
  EXPECT_EQ(refusal("rounds = 5\nproblems = []\nlearners = 'anytime'"),
            "study.toml:2: 'problems' is empty: at least one is needed");
  EXPECT_EQ(
      refusal("rounds = 5\nproblems = 3\nlearners = 'anytime'"),
      "study.toml:2: 'problems' must hold specs: \"text\" or {name = \"...\", spec = \"...\"}");
  EXPECT_EQ(refusal("rounds = 5\nproblems = 'target'\nlearners = [\n  'ogd',\n  'ogd']"),
            "study.toml:5: two of the learners are called 'ogd': give one another name, {name = "
            "\"...\", spec = \"...\"}");
  EXPECT_EQ(refusal("rounds = 5\nproblems = 'target'\nlearners = [{nam = 'a', spec = 'ogd'}]"),
            "study.toml:3: unknown key 'nam'; did you mean 'name'?");
  EXPECT_EQ(refusal("rounds = 5\nproblems = 'target'\nlearners = [{name = 'a'}]"),
            "study.toml:3: an entry of 'learners' has no 'spec'");
  EXPECT_EQ(refusal("rounds = 5\nproblems = 'target'\nlearners = [{spec = 1}]"),
            "study.toml:3: 'spec' must be a text");
  EXPECT_EQ(refusal("rounds = 5\nproblems = 'target'\nlearners = [{name = 1, spec = 'ogd'}]"),
            "study.toml:3: 'name' must be a text");
  EXPECT_EQ(refusal("rounds = 5\nproblems = 'target'\nlearners = ['']"),
            "study.toml:3: a title, name or spec is empty");
  EXPECT_EQ(
      refusal("rounds = 5\nproblems = 'target'\nlearners = [{name = \"a\\nb\", spec = 'ogd'}]"),
      "study.toml:3: a title, name or spec must be one line without control characters");
  EXPECT_EQ(refusal("rounds = 5\nproblems = 'target'\nlearners = [{name = 'stay', spec = 'ogd'}]"),
            "study.toml:3: 'stay' is the name of a control: give the learner another one, or set "
            "controls = false");
  EXPECT_EQ(refusal("rounds = \n" + valid_end).rfind("study.toml:1: ", 0), 0U);
  EXPECT_EQ(refusal("rounds = 5\nrounds = 6\n" + valid_end).rfind("study.toml:2: ", 0), 0U);
}

TEST(Config, RefusalsOfWhatASuiteSays) {
  const std::string increasing =
      "study.toml:2: 'checkpoints' must hold increasing whole numbers from 1 to 50, the rounds of "
      "the experiment";
  for (const std::string list : {"[0]", "[51]", "[1.5]", "['a']", "[3, 3]", "[4, 3]", "[-1]"}) {
    EXPECT_EQ(refusal("rounds = 50\ncheckpoints = " + list + "\n" + valid_end), increasing) << list;
  }
  EXPECT_EQ(refusal("rounds = 50\ncheckpoints = 7\n" + valid_end),
            "study.toml:2: 'checkpoints' must be a list, such as [64, 1024]");
  EXPECT_EQ(refusal("rounds = 50\nslowest = 0\n" + valid_end),
            "study.toml:2: 'slowest' must be a number from 1e-09 to 1000000, not 0");
  EXPECT_EQ(refusal("rounds = 50\nslowest = 'never'\n" + valid_end),
            "study.toml:2: 'slowest' must be a number from 1e-09 to 1000000");
  EXPECT_EQ(
      refusal("rounds = 50\nproblems = [\n{spec = 'target', normalise = 0}]\nlearners = 'ogd'"),
      "study.toml:3: 'normalise' must be a number from 1e-50 to 1e+50, not 0");
}

TEST(Config, AQuickLookIsShortAndKeepsTheRest) {
  const Experiment whole = parse(
      "rounds = 100_000\nrepeats = 7\nseed = 9\ncheckpoints = [64, 4096, 5000]\nslowest = 0.5\n"
      "problems = [{spec = 'target', delay = 3}]\nlearners = 'ogd'\n");
  const Experiment quick = experiment::quick_look(whole);
  EXPECT_EQ(quick.rounds, 4096U);
  EXPECT_EQ(quick.repeats, 2U);
  EXPECT_EQ(quick.checkpoints, (std::vector<std::uint64_t>{64, 4096}));
  EXPECT_EQ(quick.seed, whole.seed);
  EXPECT_EQ(quick.slowest, whole.slowest);
  EXPECT_EQ(quick.problems, whole.problems);
  EXPECT_EQ(quick.players, whole.players);
  EXPECT_EQ(quick.text, print_config(quick));
  EXPECT_EQ(print_config(parse(quick.text)), quick.text);
  // What is short already stays as long as it is.
  const Experiment small = experiment::quick_look(parse("rounds = 9\n" + valid_end));
  EXPECT_EQ(small.rounds, 9U);
  EXPECT_EQ(small.repeats, 1U);
}

TEST(Config, TheSuitesCanBeRun) {
  if (test_scale() < 1) {  // every set of every problem is made, which takes minutes there
    EXPECT_NO_THROW((void)experiment::read_experiment(KEYHOLE_SOURCE_DIR "/suites/small.toml"));
    return;
  }
  const std::string path = KEYHOLE_SOURCE_DIR "/suites/regret.toml";
  const Experiment suite = experiment::read_experiment(path);
  EXPECT_EQ(suite.rounds, 131072U);
  EXPECT_EQ(suite.checkpoints, (std::vector<std::uint64_t>{1024, 16384, 65536, 131072}));
  EXPECT_EQ(experiment::quick_look(suite).checkpoints, (std::vector<std::uint64_t>{1024}));
  EXPECT_TRUE(suite.controls);
  for (const std::string name :
       {"ablation", "slopes", "drift", "steady", "hard", "small", "draws", "roads", "world"}) {
    EXPECT_NO_THROW(
        (void)experiment::read_experiment(KEYHOLE_SOURCE_DIR "/suites/" + name + ".toml"));
  }
}

TEST(Config, WhatCannotRunIsRefusedAtLoad) {
  EXPECT_EQ(refusal("rounds = 5\nproblems = ['target',\n  'tarjet']\nlearners = 'ogd'"),
            "study.toml:3: tarjet: there is no problem 'tarjet'; did you mean 'target'?");
  EXPECT_EQ(refusal("rounds = 5\nproblems = 'target'\nlearners = [\n'ogd',\n'odg']"),
            "study.toml:5: learner 'odg' on problem 'target': odg: there is no learner 'odg'; did "
            "you mean 'ogd'?");
  EXPECT_EQ(
      refusal("rounds = 50\nproblems = 'target'\nlearners = ['ten']"),
      "study.toml:3: learner 'ten' on problem 'target': it can play 10 rounds and the run has "
      "50: leave its horizon out, or wrap it in anytime()");
  EXPECT_EQ(refusal("rounds = 10\nproblems = 'target'\nlearners = ['ten']"), "nothing was thrown");
}

TEST(Config, FilesAreReadWithTheirFolder) {
  const Folder folder;
  const std::string path = folder.path("study.toml");
  EXPECT_EQ(message<InputError>([&] { (void)experiment::read_experiment(path, catalogue()); }),
            path + ": the file cannot be read");
  EXPECT_EQ(
      message<InputError>([&] { (void)experiment::read_experiment(folder.path(""), catalogue()); }),
      folder.path("") + ": the file cannot be read");
  write_bytes(path, "rounds = 8\n" + valid_end);
  const Experiment experiment = experiment::read_experiment(path, catalogue());
  EXPECT_EQ(experiment.rounds, 8U);
  EXPECT_EQ(experiment.folder + "/study.toml", path);
  write_bytes(path, "rounds = 0\n" + valid_end);
  EXPECT_EQ(message<InputError>([&] { (void)experiment::read_experiment(path, catalogue()); }),
            path + ":1: 'rounds' must be from 1 to 1099511627776, not 0");
}

TEST(Config, PolytopesAreGivenByTheirRows) {
  const std::string set = "polytope(2, lower=[0, 0], upper=1, A=[[1, 1]], b=[1.5])";
  const Experiment experiment = parse_experiment(
      "rounds = 5\nproblems = ['linear(" + set + ")']\nlearners = ['parameter_free']\n",
      "study.toml");
  EXPECT_EQ(experiment.problems.front().spec, "linear(" + set + ")");
  EXPECT_EQ(message<InputError>([] {
              (void)parse_experiment(
                  "rounds = 5\nproblems = ['linear(polytope(2, lower=0, "
                  "A=[[1, -1]], b=[1]))']\nlearners = ['parameter_free']\n",
                  "study.toml");
            }).rfind("study.toml:2: ", 0),
            0U);
}

}  // namespace
}  // namespace keyhole::tests
