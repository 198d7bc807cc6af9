#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "served.h"
#include "service/routes.h"
#include "studies/study/counts.h"

namespace keyhole::tests {
namespace {

/// "GET /healthz" of every operation of the description, in order.
std::vector<std::string> described_routes(const std::string& yaml) {
  std::vector<std::string> found;
  std::istringstream lines(yaml);
  std::string path;
  std::string line;
  bool in_paths = false;
  while (std::getline(lines, line)) {
    if (!line.empty() && line[0] != ' ') in_paths = line == "paths:";
    if (!in_paths || !line.ends_with(':')) continue;
    if (line.starts_with("  /")) path = line.substr(2, line.size() - 3);
    for (const std::string method : {"get", "post", "delete", "put"}) {
      if (line != "    " + method + ":") continue;
      std::string upper = method;
      for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
      found.push_back(upper.append(" ").append(path));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Operation, IsDescribedAsItIs) {
  Served served;
  const Response response = served.get("/openapi.yaml");
  EXPECT_EQ(response.type, "application/yaml");
  std::vector<std::string> expected;
  for (const service::Route& route : service::routes()) {
    if (!route.path.empty()) {
      expected.push_back(std::string(route.method) + " " + std::string(route.path));
    }
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(described_routes(response.body), expected);
  for (const service::Route& route : service::routes()) {
    if (route.scope == service::Scope::none) continue;
    // Each says which scope it needs.
    const std::string wanted = "Needs the scope " + service::scope_text(route.scope) + ".";
    EXPECT_NE(response.body.find(wanted), std::string::npos) << route.path;
  }
}

TEST(Operation, IsReadyUntilItEnds) {
  Served served;
  EXPECT_EQ(served.get("/healthz").status, 200);
  EXPECT_EQ(served.get("/readyz").status, 200);
  served.service->drain();
  EXPECT_EQ(served.get("/healthz").status, 200);
  EXPECT_EQ(outcome(served.get("/readyz")), "503 ending");
}

TEST(Operation, IsCounted) {
  Served served;
  served.create("a");
  (void)served.post("/v1/studies/a/asks", {{"count", 3}});
  const Json tells = {{"tells", {{{"play", 1}, {"loss", 0.5}}}}};
  (void)served.post("/v1/studies/a/tells", tells);
  (void)served.post("/v1/studies/a/tells", tells);
  (void)served.get("/v1/studies/other");
  (void)served.get("/no/such/path");
  const std::string metrics = served.get("/metrics").body;
  for (const char* const line :
       {"keyhole_asks_total 3\n", "keyhole_tells_total{receipt=\"fresh\"} 1\n",
        "keyhole_tells_total{receipt=\"repeated\"} 1\n", "keyhole_open_studies 1\n",
        "keyhole_requests_total{route=\"POST /v1/studies/{name}/tells\",code=\"2xx\"} 2\n",
        "keyhole_requests_total{route=\"GET /v1/studies/{name}\",code=\"4xx\"} 1\n",
        "keyhole_requests_total{route=\"other\",code=\"4xx\"} 1\n",
        "keyhole_request_seconds_count{route=\"POST /v1/studies/{name}/tells\"} 2\n"}) {
    EXPECT_NE(metrics.find(line), std::string::npos) << line << metrics;
  }
  EXPECT_EQ(metrics.find("/v1/studies/a"), std::string::npos);  // no label is a client's
}

TEST(Operation, HistogramsCountAllThatIsFaster) {
  Served served;
  served.create("a");
  for (int k = 0; k < 20; ++k) (void)served.post("/v1/studies/a/asks", {{"count", 1 + 40 * k}});
  std::istringstream lines(served.get("/metrics").body);
  std::map<std::string, std::uint64_t> buckets;  // the latest of each
  std::map<std::string, std::uint64_t> counts;
  for (std::string text; std::getline(lines, text);) {
    const std::size_t end = text.rfind(' ');
    const std::string name = text.substr(0, end);
    const std::size_t bound = name.find("le=\"");
    if (name.find("_seconds_bucket{") != std::string::npos) {
      std::uint64_t& latest = buckets[name.substr(0, bound)];
      const std::uint64_t now = std::stoull(text.substr(end));
      EXPECT_GE(now, latest) << text;
      latest = now;
    } else if (name.find("_seconds_count{") != std::string::npos) {
      std::string of = name.substr(0, name.size() - 1) + ",";
      of.replace(of.find("_count"), 6, "_bucket");
      counts[of] = std::stoull(text.substr(end));
    }
  }
  EXPECT_GE(counts.size(), 2U);
  for (const auto& [name, count] : counts) EXPECT_EQ(buckets[name], count) << name;
}

TEST(Operation, SaysWhatItUses) {
  Served served;
  served.create("a");
  const auto value = [&](const std::string& line) {
    const std::string text = "\n" + served.get("/metrics").body;
    const std::size_t at = text.find("\n" + line + " ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + line.size() + 2));
  };
  EXPECT_GT(value("process_resident_memory_bytes"), 1e6);
  EXPECT_GT(value("keyhole_free_disk_bytes"), 0);
  const double conflicts = value("keyhole_conflicts_total");
  studies::counts().conflicts += 2;
  EXPECT_EQ(value("keyhole_conflicts_total"), conflicts + 2);
  EXPECT_EQ(value("keyhole_failed_snapshots_total"), 0);
  const double before = value("keyhole_snapshots_total");
  EXPECT_GE(before, 0);
  for (int k = 0; k < 100 && value("keyhole_snapshots_total") == before; ++k) {
    (void)served.post("/v1/studies/a/asks", {{"count", 1000}});
  }
  EXPECT_GT(value("keyhole_snapshots_total"), before);
}

TEST(Operation, HasHeadsThatBrowsersAndProgramsUnderstand) {
  const Response response{.status = 201, .body = "{}", .headers = {{"Location", "/x"}}};
  const std::string head = service::head_text(response, false, 2);
  EXPECT_TRUE(head.starts_with("HTTP/1.1 201 Created\r\n")) << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  for (const char* const line :
       {"\r\nContent-Type: application/json\r\n", "\r\nContent-Length: 2\r\n",
        "\r\nConnection: close\r\n", "\r\nLocation: /x\r\n",
        "\r\nX-Content-Type-Options: nosniff\r\n", "frame-ancestors 'none'"}) {
    EXPECT_NE(head.find(line), std::string::npos) << line;
  }
  const std::string chunked = service::head_text(response, true, {}, true);
  EXPECT_EQ(chunked.find("Content-Length"), std::string::npos);
  EXPECT_EQ(chunked.find("Connection"), std::string::npos);
  EXPECT_EQ(service::chunk_text(std::string(26, 'x')), "1a\r\n" + std::string(26, 'x') + "\r\n");
}

}  // namespace
}  // namespace keyhole::tests
