// keyhole serve.

#include "cli/serve.h"

#include <sys/resource.h>

#include <exception>
#include <iostream>

#include "base/disk.h"
#include "base/number_text.h"
#include "base/toml.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "report/html.h"
#include "report/report.h"
#include "service/http.h"
#include "service/log_file.h"
#include "studies/journals/place.h"
#include "studies/json/space_json.h"

namespace keyhole::cli {
namespace {

/// Lets the process have as many files and connections as the system allows; returns how many.
std::uint64_t raise_limit_of_files() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
  (void)::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

/// Studies and connections have a file each. If there are not enough, both have less.
void share_files(std::uint64_t files, service::ServiceOptions& service,
                 service::HttpOptions& http) {
  const std::uint64_t others = 32 + 4 * service.readers;
  const std::uint64_t left = files > 2 * others ? files - others : others;
  const std::uint64_t wanted = service.open_studies + http.connections;
  if (wanted <= left) return;
  service.open_studies = service.open_studies * left / wanted + 1;
  http.connections = http.connections * left / wanted + 1;
}

std::uint64_t count_of(const Arguments& arguments, const char* option, std::uint64_t otherwise) {
  return whole_number(option, arguments.get(option, std::to_string(otherwise)), 1, 1000000000);
}

std::chrono::seconds seconds_of(const Arguments& arguments, const char* option,
                                std::chrono::seconds otherwise) {
  return std::chrono::seconds(
      count_of(arguments, option, static_cast<std::uint64_t>(otherwise.count())));
}

service::ServiceOptions service_options(const Arguments& arguments, const Program& program) {
  service::ServiceOptions options{
      .folder = folder_of(arguments),
      .store = store_options(arguments),
      .tokens = arguments.get("--tokens", ""),
      .report = [&program](const Store& store, const std::string& name) {
        return report::html(study_report(store, name, program.catalogue));
      }};
  options.open_studies = count_of(arguments, "--max-open", options.open_studies);
  options.studies = count_of(arguments, "--max-studies", options.studies);
  options.plays = count_of(arguments, "--max-plays", options.plays);
  options.dimension = count_of(arguments, "--max-dimension", options.dimension);
  options.keep_deleted = keep_deleted(arguments);
  options.readers = whole_number("--max-readers", arguments.get("--max-readers", "8"), 1, 100);
  options.rate = whole_number("--rate", arguments.get("--rate", "0"), 0, 1000000);
  options.answer = count_of(arguments, "--max-answer", options.answer);
  constexpr std::uint64_t mega = 1U << 20U;
  if (arguments.has("--memory")) options.memory = count_of(arguments, "--memory", 1) * mega;
  return options;
}

service::HttpOptions http_options(const Arguments& arguments) {
  service::HttpOptions options;
  options.listen = arguments.get("--listen", options.listen);
  options.insecure = arguments.has("--insecure");
  options.certificate = arguments.get("--certificate", "");
  options.key = arguments.get("--key", "");
  options.body = count_of(arguments, "--max-body", options.body);
  options.connections = count_of(arguments, "--max-connections", options.connections);
  if (arguments.has("--threads")) options.step_threads = count_of(arguments, "--threads", 1);
  options.request_time = seconds_of(arguments, "--request-time", options.request_time);
  options.idle_time = seconds_of(arguments, "--idle-time", options.idle_time);
  options.drain_time = seconds_of(arguments, "--drain-time", options.drain_time);
  return options;
}

/// A setting of a file as a word of the command line; none for a flag that is not set.
std::optional<std::string> word_of(const std::string& key, const toml::node& value) {
  const std::string option = "--" + key;
  if (const auto flag = value.value_exact<bool>()) {
    return *flag ? std::optional(option) : std::nullopt;
  }
  if (const auto text = value.value_exact<std::string>()) return option + "=" + *text;
  if (const auto whole = value.value_exact<std::int64_t>()) {
    return option + "=" + std::to_string(*whole);
  }
  if (const auto number = value.value_exact<double>()) {
    return option + "=" + base::number_text(*number);
  }
  throw UsageError(key + " must be a text, a number, true or false");
}

/// With the settings of the file of --config. What the command line gives goes before them.
Arguments with_settings(const Arguments& given) {
  if (!given.has("--config")) return given;
  const std::string file = given.get("--config", "");
  const auto text = base::read_file(file);
  if (!text) throw InputError("there is no file '" + file + "', which --config names");
  std::optional<Arguments> settings;
  try {
    std::vector<std::string> words;
    for (const auto& [key, value] : base::toml_table(*text)) {
      if (auto word = word_of(std::string(key), value)) words.push_back(std::move(*word));
    }
    settings = parse(serve_command(), words, "keyhole serve");
  } catch (const base::TomlFault& fault) {
    throw InputError(file + ", line " + std::to_string(fault.line) + ": " + fault.what);
  } catch (const UsageError& error) {
    throw InputError(file + ": " + error.what());
  }
  if (!settings || settings->has("--config")) throw InputError(file + ": this is no setting");
  for (const auto& [option, value] : given.options) settings->options[option] = value;
  return *settings;
}

/// The settings as a file for --config: those that are not given are comments.
void print_settings(const Arguments& arguments) {
  for (const OptionInfo& option : serve_command().options) {
    if (option.name == "--config" || option.name == "--print-config") continue;
    const std::string key = option.name.substr(2);
    std::string value = arguments.get(option.name, "");
    if (!option.value.empty() && !base::read_number(value)) value = studies::Json(value).dump();
    std::cout << "# " << option.meaning << "\n";
    if (arguments.has(option.name)) {
      std::cout << key << " = " << value << "\n";
    } else {
      std::cout << "# " << key << " = " << (option.value.empty() ? "true" : option.value) << "\n";
    }
  }
}

int serve(const Arguments& given, const Program& program) {
  const Arguments arguments = with_settings(given);
  if (arguments.has("--print-config")) {
    print_settings(arguments);
    return 0;
  }
  service::ServiceOptions service_of = service_options(arguments, program);
  service::HttpOptions http = http_options(arguments);
  // These wait for a database, where one call serves all that have come by then.
  constexpr std::size_t waiting = 64;
  if (studies::names_database(service_of.folder)) {
    if (http.step_threads == 0) http.step_threads = waiting;
    http.steps_take_turns = false;
  }
  share_files(raise_limit_of_files(), service_of, http);
  http.say = [&](const std::string& line) { std::cerr << program.name << ": " << line << "\n"; };
  std::vector<std::unique_ptr<service::LogFile>> logs;
  const auto lines_to = [&](const char* option) -> std::function<void(const std::string& line)> {
    if (!arguments.has(option)) return {};
    logs.push_back(std::make_unique<service::LogFile>(arguments.get(option, "")));
    return [file = logs.back().get()](const std::string& line) { file->write(line); };
  };
  http.log = lines_to("--log");
  http.audit = lines_to("--audit");
  http.hung_up = [&] {
    std::exception_ptr failure;
    for (const auto& log : logs) {
      try {
        log->open_again();
      } catch (const base::DiskError&) {
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  };
  http.started = [&](const std::string& address) {
    std::cout << "listening at " << address << std::endl;  // whoever waits for it reads a pipe
  };
  service::Service service(service_of, program.catalogue);
  service::serve(service, http);
  return 0;
}

}  // namespace

CommandInfo serve_command() {
  return {"serve",
          "",
          "studies over HTTP: curl http://127.0.0.1:8600/v1/studies",
          {{"--config", "FILE.toml", "settings: each option is a key, and these go before it"},
           {"--print-config", "", "print the settings as such a file"},
           {"--store", "DIR", "folder or postgresql://... (default: $KEYHOLE_STORE or studies)"},
           {"--listen", "ADDRESS:PORT", "where (default: 127.0.0.1:8600)"},
           {"--tokens", "FILE", "who may do what ('keyhole token new'); without it, anyone here"},
           {"--certificate", "FILE", "for TLS: the certificate chain (PEM)"},
           {"--key", "FILE", "for TLS: its key (PEM)"},
           {"--insecure", "", "listen where others can reach it, without TLS"},
           {"--durability", "WHAT", "what a step survives (default: disk)", {"disk", "process"}},
           {"--wait", "SECONDS", "how long to wait for others who hold a study (default: 10)"},
           keep_deleted_option(),
           {"--log", "FILE", "a line of JSON for each request; - for stdout"},
           {"--audit", "FILE", "a line of JSON for each change: who did what; - for stdout"},
           {"--threads", "N", "that make steps (default: two a processor, 64 for a database)"},
           {"--request-time", "SECONDS", "for a client to send and to receive (default: 10)"},
           {"--idle-time", "SECONDS", "between two requests of a client (default: 60)"},
           {"--drain-time", "SECONDS", "for SIGTERM to wait for answers (default: 10)"},
           {"--memory", "MIB", "the most it may use (default: half of what the machine has)"},
           {"--max-answer", "BYTES", "the longest answer with plays (default: 16777216)"},
           {"--max-body", "BYTES", "the longest body (default: 1048576)"},
           {"--max-plays", "N", "the most asks or tells of a call (default: 1000)"},
           {"--max-dimension", "N", "the most coordinates of a new study (default: 10000)"},
           {"--max-studies", "N", "the most studies of a tenant (default: 10000)"},
           {"--max-readers", "N", "the most clients of a tenant that read logs (default: 8)"},
           {"--rate", "N", "the most calls a second of each token (default: 0, any number)"},
           {"--max-open", "N", "the most studies in memory (default: 10000)"},
           {"--max-connections", "N", "the most clients at a time (default: 20000)"},
           {"--allow-network", "", "take a folder on a network file system"}},
          serve};
}

}  // namespace keyhole::cli
