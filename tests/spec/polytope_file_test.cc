// Polytopes from MPS and LP files: against the same polytope given by rows, against CoinUtils as
// another reader, and what is refused.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#ifdef KEYHOLE_WITH_CLP
#include <coin/CoinLpIO.hpp>
#include <coin/CoinMpsIO.hpp>
#include <coin/CoinPackedMatrix.hpp>
#endif

#include "base/nearest.h"
#include "base/sha256.h"
#include "base/shortened.h"
#include "keyhole/keyhole.h"
#include "random.h"
#include "spec/hidden_equalities.h"
#include "spec/implied_equalities.h"
#include "spec/linear_model.h"
#include "thrown.h"

namespace keyhole::spec {
namespace {

using tests::message;
using tests::Random;

/// A folder of its own, gone after the test.
class PolytopeFiles : public ::testing::Test {
 protected:
  PolytopeFiles() { std::filesystem::create_directories(folder_); }
  ~PolytopeFiles() override { std::filesystem::remove_all(folder_); }

  /// Writes a file and gives its path.
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static std::string spec_of(const std::string& path) { return "polytope(file=\"" + path + "\")"; }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                  ("polytope_files_" + std::to_string(::getpid()) + "_" +
                                   ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

// x + 2 y <= 4, -1 <= x - y + z <= 2, x + y + z = 1.5, 3 x >= -2;
// x in [-3, 4], y in [0, 3], z in (-inf, 5].
PolytopeConstraints by_rows() {
  const double inf = std::numeric_limits<double>::infinity();
  return {
      .n = 3,
      .lower = {-3, 0, -inf},
      .upper = {4, 3, 5},
      .inequalities = {.dense = {1, 2, 0, 1, -1, 1, -1, 1, -1, -3, 0, 0}, .right = {4, 2, 1, 2}},
      .equalities = {.dense = {1, 1, 1}, .right = {1.5}}};
}

const char* const free_mps = R"(* A comment
NAME small FREE
OBJSENSE
    MAX
ROWS
 N cost
 L c1
 L c2
 E c3
 G c4
 N idle
COLUMNS
 x cost 1 c1 1
 x c2 1 c3 1
 x c4 3
 M1 'MARKER' 'INTORG'
 y c1 2 c2 -1
 y c3 1 idle 7
 M2 'MARKER' 'INTEND'
 z c2 1 c3 +1.0e0
RHS
 rhs cost -5 c1 4
 rhs c2 2 c3 1.5
 rhs c4 -2
RANGES
 r c2 -3
BOUNDS
 LO b x -3
 UP b x 4
 UI b y 3
 MI b z
 UP b z 5
ENDATA
)";

// The same in columns, with blanks in names and no names of sets.
const char* const fixed_mps =
    "NAME          small\n"
    "ROWS\n"
    " N  cost\n"
    " L  row 1\n"
    " L  row 2\n"
    " E  row 3\n"
    " G  row 4\n"
    "COLUMNS\n"
    "    the x     cost               1.0   row 1              1.0\n"
    "    the x     row 2              1.0   row 3              1.0\n"
    "    the x     row 4              3.0\n"
    "    MARK0000  'MARKER'                 'INTORG'\n"
    "    the y     row 1              2.0   row 2             -1.0\n"
    "    the y     row 3              1.0\n"
    "    MARK0001  'MARKER'                 'INTEND'\n"
    "    the z     row 2              1.0   row 3              1.0\n"
    "RHS\n"
    "              row 1              4.0   row 2              2.0\n"
    "              row 3              1.5   row 4             -2.0\n"
    "RANGES\n"
    "              row 2              3.0\n"
    "BOUNDS\n"
    " LO           the x             -3.0\n"
    " UP           the x              4.0\n"
    " UP           the y              3.0\n"
    " MI           the z\n"
    " UP           the z              5.0\n"
    "ENDATA\n";

const char* const lp = R"(\ A comment
Maximize
 cost: x + [ x^2 ] / 2
Subject To
 c1: x + 2 y <= 4
 c2: -1 <= x - y
   + z <= 2
 c3: 2x + y - x + z + 3 = 4.5 \ the x add up
 3 x >= -2
Bounds
 -3 <= x <= 4
 y <= 3
 z >= -inf
 z <= 5
Generals
 y
End
)";

void expect_same_polytope(const SetPtr& a, const SetPtr& b) {
  ASSERT_EQ(a->dimension(), b->dimension());
  EXPECT_EQ(a->hull_dimension(), b->hull_dimension());
  EXPECT_EQ(a->centre(), b->centre());
  EXPECT_EQ(a->inner_radius(), b->inner_radius());
  EXPECT_EQ(a->outer_radius(), b->outer_radius());
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const std::vector<double> d = random.normals(a->dimension());
    EXPECT_EQ(a->oracle()->minimise(d).dot(d), b->oracle()->minimise(d).dot(d));
  }
}

TEST_F(PolytopeFiles, AreThePolytopesOfTheirRows) {
  const SetPtr expected = polytope(by_rows());
  for (const auto& [name, text] : std::map<std::string, std::string>{
           {"free.mps", free_mps}, {"fixed.mps", fixed_mps}, {"small.LP", lp}}) {
    SCOPED_TRACE(name);
    const SetPtr set = make_set(spec_of(write(name, text)));
    expect_same_polytope(set, expected);
  }
}

TEST_F(PolytopeFiles, SpecsHoldTheDigestAndReadBack) {
  const std::string path = write("small.lp", lp);
  const SetPtr set = make_set(spec_of(path));
  const std::string digest = base::sha256(lp);
  EXPECT_EQ(set->spec(), "polytope(file=\"" + path + "\", sha256=\"" + digest + "\")");
  const SetPtr again = make_set(set->spec());
  EXPECT_EQ(again->spec(), set->spec());
  EXPECT_EQ(again->fingerprint(), set->fingerprint());
  expect_same_polytope(again, set);
  std::string capitals = digest;
  for (char& c : capitals) c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(make_set("polytope(file=\"" + path + "\", sha256=\"" + capitals + "\")")->spec(),
            set->spec());
  (void)write("small.lp", std::string(lp) + "\n");  // another file now
  EXPECT_EQ(message<InputError>([&] { (void)make_set(set->spec()); }),
            path + ": is not the file that is meant: its sha256 is " +
                base::sha256(std::string(lp) + "\n") + ", and should be " + digest);
}

TEST_F(PolytopeFiles, NestAndAreRelativeToTheFolderOfTheExperiment) {
  (void)write("small.lp", lp);
  const auto problem =
      make_problem("linear(translated(polytope(file=small.lp), 1))", {.folder = folder_.string()});
  EXPECT_EQ(problem->set().dimension(), 3U);
  EXPECT_EQ(problem->set().spec().rfind("image(polytope(file=\"small.lp\", sha256=", 0), 0U)
      << problem->set().spec();
  EXPECT_THROW((void)make_set("polytope(file=small.lp)"), InputError);  // not in this folder
}

TEST_F(PolytopeFiles, AndRowsExcludeEachOther) {
  EXPECT_EQ(message<SpecError>([] { (void)make_set("polytope()"); }),
            "polytope(): n is missing, the number of coordinates: polytope(n, lower, upper, A, b, "
            "C, d), or polytope(file=...)");
  EXPECT_EQ(message<SpecError>([] { (void)make_set("polytope(2, 0, 1, file=a.lp)"); }),
            "polytope(2, 0, 1, file=a.lp): n at column 10 is for rows given here, and there is a "
            "file");
  EXPECT_EQ(message<SpecError>([] { (void)make_set("polytope(2, 0, 1, sha256=abc)"); }),
            "polytope(2, 0, 1, sha256=abc): sha256 at column 26 is the digest of a file, and there "
            "is no file");
  EXPECT_EQ(message<InputError>([] { (void)make_set("polytope(file=a.lp, sha256=abc)"); }),
            "sha256 is a digest of 64 hexadecimal digits, not 'abc'");
  EXPECT_EQ(message<InputError>([] { (void)make_set("polytope(file=a.txt)"); }),
            "a.txt: the name of a polytope's file ends in .mps, .lp or .csv");
  const std::string missing = message<InputError>([] { (void)make_set("polytope(file=no.lp)"); });
  EXPECT_EQ(missing.rfind("no.lp: cannot be opened", 0), 0U) << missing;
}

// The constraints of by_rows(), of which the bounds are lines with a single 1.
TEST_F(PolytopeFiles, ReadRowsOfCsv) {
  const std::string csv =
      "x,y,z,relation,right\n1,2,0,<=,4\n1,-1,1,<=,2\n1,-1,1,>=,-1\n3,0,0,>=,-2\n"
      "1,1,1,=,1.5\n1,0,0,<=,4\n1,0,0,<=,9\n1,0,0,>=,-3\n0,1,0,>=,0\n0,1,0,<=,3\n0,0,1,<=,5\n";
  const SetPtr set = make_set(spec_of(write("rows.csv", csv)));
  const SetPtr expected = polytope(by_rows());
  EXPECT_EQ(set->hull_dimension(), expected->hull_dimension());
  EXPECT_NEAR(set->inner_radius(), expected->inner_radius(), 1e-12);
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<double> d = random.normals(3);
    EXPECT_NEAR(set->oracle()->minimise(d).dot(d), expected->oracle()->minimise(d).dot(d), 1e-12);
  }
  const auto error = [&](const std::string& text) {
    const std::string path = write("bad.csv", text);
    return message<InputError>([&] { (void)make_set(spec_of(path)); }).substr(path.size());
  };
  EXPECT_EQ(error("x,y,relation,right\n1,1,<,2\n"), ":2: the relation is <=, >= or =, not '<'");
  EXPECT_EQ(error("x,y,right\n1,1,2\n"), ":1: there is no column 'relation'");
  EXPECT_EQ(error("x,relation,right\n1,<=,a\n"), ":2: column 'right': 'a' is not a number");
  EXPECT_EQ(error("x,relation,right\n1,<=,1\n1,>=,2\n"),
            ": the bounds of column 'x', [2, 1], leave no number");
}

TEST_F(PolytopeFiles, ErrorsOfThePolytopeNameRowsAndColumns) {
  const auto error = [&](const std::string& constraints, const std::string& bounds) {
    const std::string path = write(
        "bad.lp", "Minimize\n x\nSubject To\n" + constraints + "\nBounds\n" + bounds + "\nEnd\n");
    const std::string text = message<InputError>([&] { (void)make_set(spec_of(path)); });
    return text.substr(std::min(path.size(), text.size()));
  };
  EXPECT_EQ(error("low: x + y >= 3\nhigh: x + y <= 2", ""),
            ": the polytope is empty: row 'low' and row 'high' contradict each other");
  EXPECT_EQ(error("x - y <= 2", "").rfind(": the polytope is unbounded: coordinate 0", 0), 0U);
}

TEST_F(PolytopeFiles, RowsThatImplyAnEqualityTogetherLoad) {
  const std::string path = write(
      "flat.lp", "Minimize\n x\nSubject To\na: x + y <= 3\nb: 2 x + 2 y >= 6\nBounds\n\nEnd\n");
  const SetPtr set = make_set(spec_of(path));
  EXPECT_TRUE(set->contains(std::vector<double>{1, 2}));
  EXPECT_FALSE(set->contains(std::vector<double>{1, 1.9}));
}

struct Refusal {
  std::string text;
  std::string expected;
};

TEST(MpsFiles, RefuseWhatTheyDoNotUnderstand) {
  const std::string head = "NAME t FREE\nROWS\n N o\n L c\nCOLUMNS\n x c 1\n";
  const std::vector<Refusal> refusals = {
      {"", "f:0: the file ends without ENDATA: it may be cut off"},
      {"ROWS\n L c\n", "f:2: the file ends without ENDATA: it may be cut off"},
      {"NAME t FREE\nROWS\n Q c\n", "f:3: the kind of a row is N, L, G or E, not 'Q'"},
      {"NAME t FREE\nROWS\n L c\n L c\n", "f:4: there is a row 'c' already"},
      {"NAME t FREE\nROWS\n L a b\n", "f:3: a row needs its kind (N, L, G or E) and its name"},
      {head + " x d 1\n", "f:7: there is no row 'd'"},
      {head + " x c 2\n", "f:7: the column has a number in row 'c' already"},
      {head + " y c zzz\n", "f:7: 'zzz' is not a number"},
      {head + " y c nan\n", "f:7: 'nan' is not a number"},
      {head + " y c inf\n", "f:7: 'inf' is not a number"},
      {head + " y c 1e999\n", "f:7: '1e999' is beyond the range of a double"},
      {head + " y c 1d3\n", "f:7: '1d3' is not a number"},
      {head + " y c\n", "f:7: a name and one or two pairs of a name and a number are expected"},
      {head + " y o 1\n x c 1\n",
       "f:8: the column 'x' was there before: its lines must follow each other"},
      {head + "RHS\n r c 1\n r c 2\n", "f:9: row 'c' has a right hand side already"},
      {head + "RHS\n r c 1\n s c 2\n",
       "f:9: the name 's' begins a second set of such numbers, after 'r': leave one in the file"},
      {head + "BOUNDS\n XX b x 1\n",
       "f:8: the kind of a bound is UP, LO, FX, FR, MI, PL, BV, UI or LI, not 'XX'"},
      {head + "BOUNDS\n SC b x 1\n", "f:8: semicontinuous columns (SC) make no convex set"},
      {head + "BOUNDS\n UP b q 1\n", "f:8: there is no column 'q'"},
      {head + "SOS\n",
       "f:7: the section 'SOS' is not one of NAME, OBJSENSE, ROWS, COLUMNS, RHS, "
       "RANGES, BOUNDS and ENDATA; lines of data begin with a blank"},
      {head + std::string("\0", 1) + "\n", "f:7: a zero byte: this is no text"},
      {" x c 1\n", "f:1: data before the section ROWS"},
      {"NAME t FREE\nROWS\n L c\nCOLUMNS\n M 'MARKER' 'INTORG'\n x c 1\nENDATA\n",
       "f:6: the whole column 'x' has no upper bound, for which some programs take 1 and others "
       "none: say which in BOUNDS (UP, or PL for none)"},
  };
  for (const Refusal& refusal : refusals) {
    EXPECT_EQ(message<InputError>([&] { (void)read_mps(refusal.text, "f"); }), refusal.expected)
        << refusal.text;
  }
  const std::string name(100000, 'x');  // no buffer is too short for it
  EXPECT_EQ(read_mps("NAME " + name + "\nROWS\n L " + name + "\nCOLUMNS\n " + name + " " + name +
                         " 1\nENDATA\n",
                     "f")
                .columns[0]
                .name,
            name);
  EXPECT_EQ(message<InputError>([] { (void)read_mps("ENDATA\n", "f").constraints(); }),
            "f: there are no columns in it");
}

/// Programs differ in what they take these for.
TEST(MpsFiles, BoundsThatSayTwoThingsAreRefused) {
  const auto refusal = [](const std::string& bounds) {
    return message<InputError>([&] {
      (void)read_mps("ROWS\n L l\nCOLUMNS\n x l 1\nRHS\nBOUNDS\n" + bounds + "ENDATA\n", "f");
    });
  };
  const std::string upper = "f:8: column 'x' has an upper bound already: leave one in the file";
  const std::string lower = "f:8: column 'x' has a lower bound already: leave one in the file";
  EXPECT_EQ(refusal(" UP b x 3\n UP b x 4\n"), upper);
  EXPECT_EQ(refusal(" BV b x\n UP b x 4\n"), upper);
  EXPECT_EQ(refusal(" UP b x 4\n PL b x\n"), upper);
  EXPECT_EQ(refusal(" LO b x 3\n LO b x 3\n"), lower);
  EXPECT_EQ(refusal(" LO b x 1\n FX b x 4\n"), lower);
  EXPECT_EQ(refusal(" UP b x -4\n"),
            "f:4: the upper bound of 'x' is negative and there is no lower one, for which some "
            "programs take 0 and others -inf: say which in BOUNDS (LO, or MI for none)");
}

/// A column that is fixed stays a coordinate, and the set is flat there.
TEST(MpsFiles, FixedColumnsAreFlat) {
  const LinearModel model = read_mps(
      "ROWS\n L l\nCOLUMNS\n x l 1\n y l 1\n z l 1\nRHS\n b l 4\nBOUNDS\n FX b y 3\nENDATA\n", "f");
  const SetPtr set = polytope(model.constraints());
  EXPECT_EQ(set->dimension(), 3U);
  EXPECT_EQ(set->hull_dimension(), 2U);
  EXPECT_NEAR(set->centre()[1], 3, 1e-12);
  std::vector<double> v(3);
  set->oracle()->minimise(std::vector<double>{-1, 5, 0}).write_to(v);
  EXPECT_NEAR(v[0], 1, 1e-12);
  EXPECT_NEAR(v[1], 3, 1e-12);
  EXPECT_NEAR(v[2], 0, 1e-12);
}

TEST(LpFiles, HiddenEqualitiesAreSeenRowByRow) {
  const auto read = [](const std::string& rows, const std::string& bounds) {
    LinearModel model =
        read_lp("Minimize\n x\nSubject To\n" + rows + "\nBounds\n" + bounds + "\nEnd\n", "f");
    write_hidden_equalities(model);
    return polytope(model.constraints());
  };
  // The same row twice, and with the other sign.
  const SetPtr joined = read("a: x + y + z <= 3\nb: - x - y - z <= -3", "");
  EXPECT_EQ(joined->hull_dimension(), 2U);
  EXPECT_EQ(read("a: x + y <= 3\nb: x + y <= 2", "")->hull_dimension(), 2U);
  // Only 1 - 0 fits; then a row that follows from it.
  const SetPtr fixed =
      read("a: x - y >= 1\nb: z + x <= 2\nc: w - z >= 0", "x <= 1\ny <= 5\nw <= 1");
  EXPECT_EQ(fixed->dimension(), 4U);
  EXPECT_EQ(fixed->hull_dimension(), 2U);
  EXPECT_NEAR(fixed->centre()[0], 1, 1e-12);
  EXPECT_NEAR(fixed->centre()[1], 0, 1e-12);
  // As far as all of it can go, and not a bit less: a choice is left.
  EXPECT_EQ(read("a: x + y >= 1.5", "x <= 1\ny <= 1")->hull_dimension(), 2U);
}

/// As the examples of glpk have them.
TEST(MpsFiles, FixedFormatHasCommentsAndLinesThatGoOn) {
  const LinearModel model = read_mps(
      "NAME          F\n"
      "ROWS\n"
      " L  A         $ the first row\n"
      " L  B\n"
      "COLUMNS\n"
      "    X         A              1.00000   $ and no more\n"
      "              B              2.00000\n"
      "    Y         A              3.00000   B              4.00000\n"
      "RHS\n"
      "    R         A             10.00000\n"
      "              B             20.00000\n"
      "ENDATA\n",
      "f");
  const auto constraints = model.constraints();
  EXPECT_EQ(model.columns.size(), 2U);
  EXPECT_EQ(constraints.inequalities.right, (std::vector<double>{10, 20}));
  std::vector<double> values;
  for (const MatrixEntry& entry : model.entries) {
    values.push_back(static_cast<double>(100 * entry.row + 10 * entry.column) + entry.value);
  }
  EXPECT_EQ(values, (std::vector<double>{1, 102, 13, 114}));
}

#ifdef KEYHOLE_WITH_CLP

/// A model that others ship: what is said of it or, of those that load, the least of its objective.
struct ShippedModel {
  std::string name;
  std::string reason;
  double optimum = 0;
};

/// The numbers of row r by the names of their columns.
std::map<std::string, double> numbers_of_row(const LinearModel& model, std::size_t r) {
  std::map<std::string, double> numbers;
  for (const MatrixEntry& entry : model.entries) {
    if (entry.row == r) numbers[model.columns[entry.column].name] += entry.value;
  }
  return numbers;
}

/// The objective of a file, which the readers leave out: read as if it were a row.
std::vector<double> objective_of(const std::string& path) {
  std::ostringstream read;
  read << std::ifstream(path).rdbuf();
  std::string text = read.str();
  std::vector<double> c;
  const auto collect = [&](const LinearModel& whole, const std::map<std::string, double>& numbers) {
    for (const LinearModel::Column& column : whole.columns) {
      const auto found = numbers.find(column.name);
      c.push_back(found == numbers.end() ? 0 : found->second);
    }
  };
  if (path.ends_with(".mps")) {
    const LinearModel before = read_mps(text, path);
    text[text.find("\n N") + 2] = 'L';
    const LinearModel after = read_mps(text, path);
    std::size_t r = 0;
    while (after.rows.at(r).upper == before.rows.at(r).upper) ++r;
    collect(before, numbers_of_row(after, r));
    return c;
  }
  const std::string lower = base::lower_case(text);
  const std::size_t begin = lower.find("\nminimize") + 9;
  const std::size_t end = lower.find("\nsubject to", begin);
  const std::string row = text.substr(begin, end - begin);
  collect(read_lp(text, path),
          numbers_of_row(read_lp("Minimize\n a: x\nSubject To\n" + row + " >= 0\nEnd\n", path), 0));
  return c;
}

/// All files that Debian's coinor-libcoinutils-dev and glpk-utils ship. The optima are those of
/// 'glpsol --freemps FILE --nomip' ('--mps' for alloy, furnace, icecream and plan, '--lp'), which
/// also says that the empty ones are. That the others are unbounded it says of the objective 'minus
/// the sum of all columns'; murtagh was not tried in that way.
TEST(MpsFiles, ModelsOfOthersLoadOrAreRefusedForATrueReason) {
  const std::string coin = "/usr/share/coin/Data/Sample/";
  const std::string glpk = "/usr/share/doc/glpk-utils/examples/";
  const std::string ambiguous = "has no upper bound, for which some programs take 1";
  const std::vector<ShippedModel> models = {{coin + "afiro.mps", "", -464.7531429},
                                            {coin + "atm_5_10_1.mps", "", 59297.33551},
                                            {coin + "block_milp.lp", "", -120.1988095},
                                            {coin + "brandy.mps", "unbounded"},
                                            {coin + "conic.mps", "the section 'SOS'"},
                                            {coin + "e226.mps", "unbounded"},
                                            {coin + "exmip1.5.mps", ambiguous},
                                            {coin + "exmip1.lp", "", 3.236842105},
                                            {coin + "exmip1.mps", ambiguous},
                                            {coin + "finnis.mps", "unbounded"},
                                            {coin + "galenet.mps", "empty"},
                                            {coin + "galenetbnds.mps", "empty"},
                                            {coin + "hello.mps", "", 0},
                                            {coin + "lseu.mps", "", 834.6823529},
                                            {coin + "nw460.mps", ambiguous},
                                            {coin + "p0033.mps", "", 2520.571739},
                                            {coin + "p0201.mps", "", 6875},
                                            {coin + "p0548.mps", "", 315.254902},
                                            {coin + "pack1.mps", ambiguous},
                                            {coin + "retail3.mps", "", 285.5688457},
                                            {coin + "scOneInt.mps", ambiguous},
                                            {coin + "share2qp.mps", "", -415.7322407},
                                            {coin + "spec_sections.mps", "the section 'SOS'"},
                                            {coin + "tp3.mps", "", 97.185},
                                            {coin + "tp4.mps", "", -200.61975},
                                            {coin + "tp5.mps", "", -51.66666667},
                                            {coin + "wedding_16.mps", "unbounded"},
                                            {glpk + "alloy.mps", "", 2149.247891},
                                            {glpk + "furnace.mps", "", 2141.923551},
                                            {glpk + "icecream.mps", "", 962.8214691},
                                            {glpk + "murtagh.mps", "unbounded"},
                                            {glpk + "plan.lp", "", 296.2166065},
                                            {glpk + "plan.mps", "", 296.2166065},
                                            {glpk + "samp1.mps", "", 24.07692308},
                                            {glpk + "samp2.mps", "", 24.07692308},
                                            {glpk + "wolfra6d.lp", "", 27.5}};
  for (const auto& [path, reason, optimum] : models) {
    if (!std::filesystem::exists(path)) continue;  // other versions ship other files
    std::string said;
    try {
      const SetPtr set = make_set("polytope(file=" + path + ")");
      const std::vector<double> c = objective_of(path);
      ASSERT_EQ(c.size(), set->dimension()) << path;
      EXPECT_NEAR(set->oracle()->minimise(c).dot(c), optimum, 1e-6 * (1 + std::abs(optimum)))
          << path;
    } catch (const Error& error) {
      said = error.what();
    }
    EXPECT_EQ(said.empty(), reason.empty()) << path << ": " << said;
    EXPECT_NE(said.find(reason), std::string::npos) << path << ": " << said;
  }
}

/// Three rows that together leave each other no room, which no row shows alone; and what is only
/// near to that.
TEST(MpsFiles, EqualitiesThatRowsImplyTogetherAreFlat) {
  const auto model_with = [](const std::string& least) {
    return read_lp("Minimize\n x\nSubject To\na: x + y <= 1\nb: y + z <= 1\nc: x + z <= 1\n" +
                       ("d: x + y + z >= " + least) + "\nBounds\nx <= 3\nEnd\n",
                   "f");
  };
  LinearModel flat = model_with("1.5");
  flat.add_column("w", 9);
  flat.columns.back().upper = 2;
  EXPECT_TRUE(write_implied_equalities(flat));
  for (const LinearModel::Row& row : flat.rows) EXPECT_EQ(row.lower, row.upper) << row.name;
  const SetPtr segment = polytope(flat.constraints());
  EXPECT_EQ(segment->hull_dimension(), 1U);
  EXPECT_NEAR(segment->centre()[2], 0.5, 1e-9);
  EXPECT_NEAR(segment->centre()[3], 1, 1e-9);
  LinearModel solid = model_with("1.499");
  EXPECT_FALSE(write_implied_equalities(solid));
  EXPECT_EQ(polytope(solid.constraints())->hull_dimension(), 3U);
  LinearModel empty = model_with("1.6");
  EXPECT_FALSE(write_implied_equalities(empty));
}

#endif

TEST(MpsFiles, NamesInMessagesAreCutAndPrintable) {
  EXPECT_EQ(base::shortened("x1"), "x1");
  EXPECT_EQ(base::shortened(std::string(60, 'a')), std::string(60, 'a'));
  EXPECT_EQ(base::shortened(std::string(61, 'a')), std::string(60, 'a') + "...");
  EXPECT_EQ(base::shortened("a\xff\x1b\x01"
                            "b"),
            "a\\xff\\x1b\\x01b");
  EXPECT_EQ(base::shortened("gr\xc3\xb6\xc3"), "gr\xc3\xb6\\xc3");
  EXPECT_EQ(base::shortened("\xe0\x80\x80|\xed\xa0\x80"), "\\xe0\\x80\\x80|\\xed\\xa0\\x80");
  // A letter of two bytes is not cut in the middle.
  EXPECT_EQ(base::shortened(std::string(59, 'a') + "\xc3\xb6" + "b"),
            std::string(59, 'a') + "\xc3\xb6" + "...");
}

TEST(MpsFiles, BoundsAndRangesGoByTheRules) {
  const LinearModel model = read_mps(
      "ROWS\n L l\n G g\n E e\n E p\n E m\n L open\nCOLUMNS\n a l 1\n b l 1\n c l 1\n d l 1\n e l "
      "1\n f l 1\n g l 1\n h l 1\nRHS\n l 1 g 1\n e 1 p 1\n m 1 open 1e30\nRANGES\n l -2 g 2\n p 2 "
      "m -2\nBOUNDS\n MI a 0\n UP a -1\n UP b 0\n FR c\n FX d 3\n BV e\n MI f 0\n LO g -1e30\n "
      "LI h 2\n PL h\nENDATA\n",
      "f");
  const double inf = without_bound;
  const std::vector<std::pair<double, double>> rows = {{-1, 1}, {1, 3},  {1, 1},
                                                       {1, 3},  {-1, 1}, {-inf, inf}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(std::pair(model.rows[i].lower, model.rows[i].upper), rows[i]) << i;
  }
  const std::vector<std::pair<double, double>> columns = {
      {-inf, -1}, {0, 0}, {-inf, inf}, {3, 3}, {0, 1}, {-inf, inf}, {-inf, inf}, {2, inf}};
  for (std::size_t j = 0; j < columns.size(); ++j) {
    EXPECT_EQ(std::pair(model.columns[j].lower, model.columns[j].upper), columns[j]) << j;
  }
  EXPECT_EQ(model.constraints().inequalities.right,
            (std::vector<double>{1, 1, 3, -1, 3, -1, 1, 1}));
  // Of the fixed columns b and d, and of row e.
  EXPECT_EQ(model.constraints().equalities.right, (std::vector<double>{0, 3, 1}));
}

TEST(LpFiles, BoundsInFrontOfARowCanBeInfinite) {
  const LinearModel model = read_lp(
      "Maximise\n x\nSubject To\n -inf <= x + y <= 3\n -1e30 <= x <= 5\n 1e31 >= y >= -2\n"
      "End\n",
      "f");
  ASSERT_EQ(model.rows.size(), 3U);
  ASSERT_EQ(model.columns.size(), 2U);
  const std::vector<std::pair<double, double>> expected = {
      {-without_bound, 3}, {-without_bound, 5}, {-2, without_bound}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(model.rows[i].lower, expected[i].first) << i;
    EXPECT_EQ(model.rows[i].upper, expected[i].second) << i;
  }
}

TEST(LpFiles, RefuseWhatTheyDoNotUnderstand) {
  const std::string head = "Minimize\n x\nSubject To\n";
  const std::vector<Refusal> refusals = {
      {"", "f:1: the file ends without End: it may be cut off"},
      {"garbage", "f:1: an LP file begins with Minimize or Maximize"},
      {head + " c: x + y <= 1\n", "f:5: the file ends without End: it may be cut off"},
      {head + " c: x y <= 1\nEnd", "f:4: <=, >= or = is expected, not 'y'"},
      {head + " c: x + y <= abc\nEnd", "f:4: a number is expected, not 'abc'"},
      {head + " c: x + y <= 3 z\nEnd",
       "f:4: 'z' follows a complete constraint: the next begins on a new line"},
      {head + " c: x + <= 1\nEnd", "f:4: a number or a variable is expected, not '<='"},
      {head + " c: [ x^2 ] <= 1\nEnd", "f:4: '[': quadratic constraints make no polytope"},
      {head + " c: x + inf <= 5\nEnd", "f:4: infinity is added to variables"},
      {head + " c: 3 <= 5\nEnd", "f:4: there is no variable in the constraint"},
      {head + " c: 3 <= x >= 5\nEnd", "f:4: a range needs <= twice, or >= twice"},
      {head + " c: x <= 1\n c: x >= 0\nEnd", "f:5: there is a row 'c' already"},
      {head + " c: x <= 1e999\nEnd", "f:4: '1e999' is beyond the range of a double"},
      {head + " c: x <= 1\nBounds\n q <= 3\nEnd",
       "f:6: 'q' is not a variable of the objective or of a constraint"},
      {head + " c: x <= 1\nBounds\n x <= 3 x >= 1\nEnd",
       "f:6: 'x' follows a complete bound: the next begins on a new line"},
      {head + " c: x <= 1\nBounds\n x <= -3\nEnd",
       "f:2: the upper bound of 'x' is negative and there is no lower one, for which some programs "
       "take 0 and others -inf: say which in Bounds"},
      {head + " c: x <= 1\nSemi-continuous\n x\nEnd",
       "f:5: the section 'Semi' makes no convex set"},
      {head + " c: x <= 1\nSOS\nEnd", "f:5: the section 'SOS' makes no convex set"},
      {head + " c: x <= 1\nGenerals\n 3\nEnd",
       "f:6: '3' is not a variable of the objective or of a constraint"},
      {head + " c: x = 1 -> y <= 2\nEnd",
       "f:4: '-' follows a complete constraint: the next begins on a new line"},
      {head + " c: x \x01 <= 1\nEnd", "f:4: a character that no LP file has, of code 1"},
      {"Minimize\nMaximize\n", "f:2: a second objective"},
  };
  for (const Refusal& refusal : refusals) {
    EXPECT_EQ(message<InputError>([&] { (void)read_lp(refusal.text, "f"); }), refusal.expected)
        << refusal.text;
  }
  const std::string name(100000, 'x');
  EXPECT_EQ(read_lp(head + " " + name + " <= 1\nEnd", "f").columns[1].name, name);
}

/// Whatever is done to a good file, it is read or refused as InputError.
TEST(PolytopeTexts, DamagedOnesAreReadOrRefused) {
  Random random(5);
  std::size_t refused = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string text = i % 3 == 0 ? free_mps : i % 3 == 1 ? fixed_mps : lp;
    for (std::size_t k = random.integer(1, 3); k > 0; --k) {
      if (text.empty()) break;
      const std::size_t place = random.integer(0, text.size() - 1);
      switch (random.integer(0, 3)) {
        case 0:
          text.erase(place, random.integer(1, 30));
          break;
        case 1:
          text[place] = static_cast<char>(random.integer(0, 255));
          break;
        case 2:
          text.insert(place, text.substr(random.integer(0, text.size() - 1), 20));
          break;
        default:
          text.resize(place + 1);
      }
    }
    try {
      (void)(i % 3 == 2 ? read_lp(text, "f") : read_mps(text, "f")).constraints();
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 3000U);
  EXPECT_LT(refused, 6000U);
}

/// A random model, as numbers.
struct Model {
  std::vector<double> row_lower;
  std::vector<double> row_upper;
  std::vector<double> lower;
  std::vector<double> upper;
  std::vector<std::vector<double>> a;
};

Model random_model(Random& random) {
  const double inf = without_bound;
  const std::size_t n = random.integer(1, 6);
  const std::size_t m = random.integer(1, 6);
  const auto number = [&] { return std::round(random.uniform(-20, 20)) / 4; };
  Model model;
  model.a.assign(m, std::vector<double>(n));
  for (std::size_t j = 0; j < n; ++j) {
    const double low = number();
    model.lower.push_back(random.integer(0, 3) == 0 ? -inf : low);
    model.upper.push_back(random.integer(0, 3) == 0 ? inf : low + 1 + std::abs(number()));
  }
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t kind = random.integer(0, 3);
    const double b = number();
    model.row_lower.push_back(kind == 0 ? -inf : b);
    model.row_upper.push_back(kind == 1 ? inf : kind == 3 ? b + 2 : b);
    for (double& value : model.a[i]) value = random.integer(0, 2) == 0 ? 0 : number();
    model.a[i][random.integer(0, n - 1)] = 1;
  }
  return model;
}

std::string as_mps(const Model& model) {
  std::ostringstream text;
  text << "NAME t FREE\nROWS\n N obj\n";
  const std::size_t m = model.a.size();
  const auto is_free = [](double x) { return std::isinf(x); };
  const auto bounded = [&](std::size_t i) {
    return !is_free(model.row_lower[i]) && !is_free(model.row_upper[i]) &&
           model.row_lower[i] != model.row_upper[i];
  };
  for (std::size_t i = 0; i < m; ++i) {
    const char* const kind = model.row_lower[i] == model.row_upper[i] ? "E"
                             : is_free(model.row_upper[i])            ? "G"
                                                                      : "L";
    text << " " << kind << " r" << i << "\n";
  }
  text << "COLUMNS\n";
  for (std::size_t j = 0; j < model.lower.size(); ++j) {
    text << " x" << j << " obj 1\n";
    for (std::size_t i = 0; i < m; ++i) {
      if (model.a[i][j] != 0) text << " x" << j << " r" << i << " " << model.a[i][j] << "\n";
    }
  }
  text << "RHS\n";
  for (std::size_t i = 0; i < m; ++i) {
    text << " rhs r" << i << " "
         << (is_free(model.row_upper[i]) ? model.row_lower[i] : model.row_upper[i]) << "\n";
  }
  text << "RANGES\n";
  for (std::size_t i = 0; i < m; ++i) {
    if (bounded(i)) text << " rng r" << i << " " << model.row_upper[i] - model.row_lower[i] << "\n";
  }
  text << "BOUNDS\n";
  for (std::size_t j = 0; j < model.lower.size(); ++j) {
    text << (is_free(model.lower[j]) ? " MI bnd x" : " LO bnd x") << j;
    if (!is_free(model.lower[j])) text << " " << model.lower[j];
    text << "\n";
    if (!is_free(model.upper[j])) text << " UP bnd x" << j << " " << model.upper[j] << "\n";
  }
  text << "ENDATA\n";
  return text.str();
}

std::string as_lp(const Model& model) {
  std::ostringstream text;
  text << "Minimize\n obj:";
  for (std::size_t j = 0; j < model.lower.size(); ++j) text << " + x" << j;
  text << "\nSubject To\n";
  for (std::size_t i = 0; i < model.a.size(); ++i) {
    text << " r" << i << ": ";
    const bool has_lower = !std::isinf(model.row_lower[i]);
    const bool has_upper = !std::isinf(model.row_upper[i]);
    const bool equal = model.row_lower[i] == model.row_upper[i];
    if (has_lower && has_upper && !equal) text << model.row_lower[i] << " <=";
    for (std::size_t j = 0; j < model.lower.size(); ++j) {
      const double a = model.a[i][j];
      if (a != 0) text << (a < 0 ? " - " : " + ") << std::abs(a) << " x" << j;
    }
    text << (equal       ? " = "
             : has_upper ? " <= "
                         : " >= ")
         << (has_upper ? model.row_upper[i] : model.row_lower[i]) << "\n";
  }
  text << "Bounds\n";
  for (std::size_t j = 0; j < model.lower.size(); ++j) {
    text << " ";
    if (std::isinf(model.lower[j]))
      text << "-inf";
    else
      text << model.lower[j];
    text << " <= x" << j;
    if (!std::isinf(model.upper[j])) text << " <= " << model.upper[j];
    text << "\n";
  }
  text << "End\n";
  return text.str();
}

/// What Coin or we have read, by names.
using Numbers = std::map<std::string, double>;

double cut(double value) { return std::abs(value) >= 1e30 ? std::copysign(1e30, value) : value; }

Numbers numbers_of(const LinearModel& model) {
  Numbers result;
  for (const auto& row : model.rows) {
    if (std::isinf(row.lower) && std::isinf(row.upper)) continue;
    result[row.name + " lower"] = cut(row.lower);
    result[row.name + " upper"] = cut(row.upper);
  }
  for (const auto& column : model.columns) {
    result[column.name + " lower"] = cut(column.lower);
    result[column.name + " upper"] = cut(column.upper);
  }
  for (const auto& [row, column, value] : model.entries) {
    result[model.rows[row].name + " " + model.columns[column].name] += value;
  }
  return result;
}

TEST(PolytopeTexts, SayTheSameInBothFormats) {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    const Model model = random_model(random);
    const std::string mps = as_mps(model);
    const std::string text = as_lp(model);
    ASSERT_EQ(numbers_of(read_lp(text, "t")), numbers_of(read_mps(mps, "t"))) << text;
  }
}

#ifdef KEYHOLE_WITH_CLP

template <class Io>
Numbers numbers_of(const Io& io) {
  Numbers result;
  const CoinPackedMatrix& matrix = *io.getMatrixByRow();
  for (int i = 0; i < io.getNumRows(); ++i) {
    const std::string row = io.rowName(i);
    result[row + " lower"] = cut(io.getRowLower()[i]);
    result[row + " upper"] = cut(io.getRowUpper()[i]);
    for (int j = 0; j < io.getNumCols(); ++j) {
      const double value = matrix.getCoefficient(i, j);
      if (value != 0) result[row + " " + io.columnName(j)] = value;
    }
  }
  for (int j = 0; j < io.getNumCols(); ++j) {
    result[std::string(io.columnName(j)) + " lower"] = cut(io.getColLower()[j]);
    result[std::string(io.columnName(j)) + " upper"] = cut(io.getColUpper()[j]);
  }
  return result;
}

TEST_F(PolytopeFiles, AreReadAsCoinReadsThem) {
  Random random(6);
  int by_coin = 0;
  for (int i = 0; i < 100; ++i) {
    const Model model = random_model(random);
    const std::string mps = as_mps(model);
    CoinMpsIO mps_io;
    mps_io.messageHandler()->setLogLevel(0);
    ASSERT_EQ(mps_io.readMps(write("t.mps", mps).c_str(), ""), 0) << mps;
    ASSERT_EQ(numbers_of(read_mps(mps, "t")), numbers_of(mps_io)) << mps;
    const std::string text = as_lp(model);
    if (mps.find(" rng ") == std::string::npos) {  // it takes the ends of ranges for variables
      CoinLpIO lp_io;
      lp_io.messageHandler()->setLogLevel(0);
      lp_io.readLp(write("t.lp", text).c_str());
      ASSERT_EQ(numbers_of(read_lp(text, "t")), numbers_of(lp_io)) << text;
      ++by_coin;
    }
  }
  EXPECT_GT(by_coin, 20);
}

#endif

}  // namespace
}  // namespace keyhole::spec
