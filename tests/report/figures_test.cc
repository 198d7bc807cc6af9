#include "report/figures.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "keyhole/error.h"
#include "report/gnuplot_script.h"
#include "sample.h"
#include "thrown.h"

namespace keyhole::report {
namespace {

std::filesystem::path fresh_directory(const std::string& name) {
  const auto directory = std::filesystem::path(::testing::TempDir()) / ("keyhole_figures_" + name);
  std::filesystem::remove_all(directory);
  return directory;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool has_gnuplot() { return std::system("gnuplot --version > /dev/null 2>&1") == 0; }

Report hostile() {
  const std::string bad = "../x'; `touch pwned`; $(touch pwned) \"!touch pwned\n!touch pwned";
  return {.title = bad,
          .sections = {{.title = bad,
                        .figures = {{.title = bad,
                                     .x_label = bad,
                                     .y_label = bad,
                                     .series = {{.name = bad, .points = {{1, 2}, {2, 3}}}}},
                                    {.title = "", .x_label = "", .y_label = ""}}}}};
}

TEST(FiguresTest, EachFigureAsSvgPngAndPdf) {
  ASSERT_TRUE(has_gnuplot()) << "needs gnuplot (Debian: gnuplot-nox)";
  const auto directory = fresh_directory("all");
  const WrittenFigures written = write_figures(tests::sample_report(), directory.string());
  EXPECT_EQ(written.message, "");
  EXPECT_EQ(written.files.size(), 4U * 7U);
  for (const std::string& file : written.files) {
    EXPECT_GT(content(directory / file).size(), 1000U) << file;
  }
  EXPECT_EQ(written.files[1], "01-figure-1-quadratic-average-loss-quadratic.svg");
  const std::string svg = content(directory / written.files[1]);
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  for (const tests::SampleLearner& learner : tests::sample_learners()) {
    EXPECT_NE(svg.find(learner.name), std::string::npos) << learner.name;
  }
  EXPECT_EQ(content(directory / written.files[2]).substr(1, 3), "PNG");
  EXPECT_EQ(content(directory / written.files[3]).substr(0, 5), "%PDF-");
  std::filesystem::remove_all(directory);
}

TEST(FiguresTest, OddFiguresToo) {
  ASSERT_TRUE(has_gnuplot()) << "needs gnuplot (Debian: gnuplot-nox)";
  const auto directory = fresh_directory("odd");
  const WrittenFigures written = write_figures(tests::odd_report(), directory.string());
  EXPECT_EQ(written.message, "");
  std::filesystem::remove_all(directory);
}

TEST(FiguresTest, NamesAndTextsCannotRunAnything) {
  const auto directory = fresh_directory("hostile");
  const WrittenFigures written = write_figures(hostile(), directory.string());
  EXPECT_EQ(written.message.find("failed"), std::string::npos) << written.message;
  ASSERT_GE(written.files.size(), 2U);
  EXPECT_EQ(written.files[0],
            "01-x-touch-pwned-touch-pwned-touch-pwned-to-x-touch-pwned-touch-pwned-"
            "touch-pwned-to.gp");
  EXPECT_EQ(written.files.back().substr(0, 31), "02-x-touch-pwned-touch-pwned-to");
  EXPECT_FALSE(std::filesystem::exists(directory / "pwned"));
  EXPECT_FALSE(std::filesystem::exists("pwned"));
  std::filesystem::remove_all(directory);
}

TEST(FiguresTest, WithoutGnuplotThereAreScriptsAndAMessage) {
  const auto directory = fresh_directory("none");
  const WrittenFigures written =
      write_figures(tests::sample_report(), directory.string(), "no-such-gnuplot");
  EXPECT_NE(written.message.find("gnuplot is not installed"), std::string::npos);
  EXPECT_EQ(written.files.size(), 7U);
  std::filesystem::remove_all(directory);
}

TEST(FiguresTest, AGnuplotThatFailsIsNotHidden) {
  const auto directory = fresh_directory("fails");
  const WrittenFigures written = write_figures(tests::sample_report(), directory.string(), "false");
  EXPECT_NE(written.message.find("gnuplot failed on"), std::string::npos);
  EXPECT_EQ(written.files.size(), 7U);
  std::filesystem::remove_all(directory);
}

TEST(FiguresTest, ADirectoryThatCannotBeMade) {
  EXPECT_NE(tests::message<Error>([] {
              return write_figures(tests::sample_report(), "/dev/null/figures");
            }).find("/dev/null/figures cannot be made"),
            std::string::npos);
}

TEST(GnuplotScriptTest, LogarithmicOnlyWhereMeansArePositive) {
  Figure figure{.title = "t",
                .x_label = "x",
                .y_label = "y",
                .log_x = true,
                .log_y = true,
                .series = {{.name = "a", .points = {{1, 2, -1, 4}, {2, 1, 0.5, 2}}}}};
  const Report report{.title = "r", .sections = {{.title = "s", .figures = {figure}}}};
  const Colours colours(report);
  const std::string positive = gnuplot_script(figure, colours, "f");
  EXPECT_NE(positive.find("set logscale y"), std::string::npos);
  EXPECT_NE(positive.find("\n1 2 0.1 4\n"), std::string::npos) << positive;  // cut at the axis
  figure.series[0].points[1].mean = 0;
  const std::string zero = gnuplot_script(figure, colours, "f");
  EXPECT_EQ(zero.find("set logscale y"), std::string::npos);
  EXPECT_NE(zero.find("set logscale x"), std::string::npos);
  EXPECT_NE(zero.find("\n1 2 -1 4\n"), std::string::npos);
}

TEST(GnuplotScriptTest, FaintCurvesAreBelowTheOthersAndLastInTheLegend) {
  const Figure figure{
      .title = "t",
      .series = {{.name = "stay", .points = {{1, 2}, {2, 1}}, .style = Style::faint},
                 {.name = "a", .points = {{1, 2}, {2, 1}}}}};
  const Report report{.title = "r", .sections = {{.title = "s", .figures = {figure}}}};
  const std::string script = gnuplot_script(figure, Colours(report), "f");
  const auto grey = script.find("$series0 using 1:2 with lines lw 1 dt 1 lc rgb '#8c959f' notitle");
  const auto blue = script.find("$series1 using 1:2 with lines lw 2 dt 1 lc rgb '#0072b2'");
  const auto named = script.find("NaN with lines lw 1 dt 1 lc rgb '#8c959f' title 'stay'");
  ASSERT_NE(named, std::string::npos) << script;
  EXPECT_LT(grey, blue);
  EXPECT_LT(blue, named);
}

TEST(GnuplotScriptTest, BarsBeginAtTheReferenceOfALogarithmicAxis) {
  Figure figure{.title = "t",
                .log_y = true,
                .series = {{.name = "a", .points = {{0, 2}, {1, 0.5, 0.25, 1}}}},
                .groups = {"one", "two"},
                .reference = 1};
  const Report report{.title = "r", .sections = {{.title = "s", .figures = {figure}}}};
  const Colours colours(report);
  const std::string positive = gnuplot_script(figure, colours, "f");
  EXPECT_NE(positive.find("set logscale y"), std::string::npos);
  EXPECT_NE(positive.find("set xtics ('one' 0, 'two' 1)"), std::string::npos) << positive;
  EXPECT_NE(positive.find(" 1 2 2 2 \n"), std::string::npos) << positive;
  EXPECT_NE(positive.find(" 1 0.5 0.25 1 \n"), std::string::npos) << positive;
  figure.series[0].points[1].mean = -1;
  const std::string negative = gnuplot_script(figure, colours, "f");
  EXPECT_EQ(negative.find("set logscale y"), std::string::npos);
  EXPECT_NE(negative.find(" 0 2 2 2 \n"), std::string::npos) << negative;
}

}  // namespace
}  // namespace keyhole::report
