// The only file that sees Boost.Beast and OpenSSL. One thread has the sockets; others make the
// answers, so that a step that waits for the disk holds up nobody else.

#include "service/http.h"

#include <sys/resource.h>

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <future>
#include <optional>
#include <set>

#include "base/number_text.h"
#include "base/require.h"
#include "service/log_line.h"
#include "service/problem.h"
#include "service/settling.h"
#include "service/turns.h"
#include "service/wire.h"

namespace keyhole::service {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using net::ip::tcp;
using SteadyClock = std::chrono::steady_clock;
using Socket = net::basic_stream_socket<tcp, net::io_context::executor_type>;
using TlsSocket = net::ssl::stream<Socket>;
using Timer = net::basic_waitable_timer<SteadyClock, net::wait_traits<SteadyClock>,
                                        net::io_context::executor_type>;

/// A connection, for whoever looks after all of them.
class Connection : public Recipient {
 public:
  /// Ends it if it has been too slow.
  void require_progress(SteadyClock::time_point now) {
    if (now > deadline_) close();
  }
  /// Ends it unless an answer is under way.
  virtual void drain() = 0;
  virtual void close() = 0;

 protected:
  void expect_within(SteadyClock::duration time) { deadline_ = SteadyClock::now() + time; }
  void expect_nothing() { deadline_ = SteadyClock::time_point::max(); }

 private:
  SteadyClock::time_point deadline_ = SteadyClock::time_point::max();
};

/// Hands on the first of several answers.
class FirstAnswer : public Recipient {
 public:
  explicit FirstAnswer(std::shared_ptr<Recipient> to) : to_(std::move(to)) {}
  void respond(Response response) override {
    if (!std::exchange(is_answered_, true)) to_->respond(std::move(response));
  }

 private:
  std::shared_ptr<Recipient> to_;
  bool is_answered_ = false;
};

/// Runs work in threads of a pool.
auto in(net::thread_pool& pool) {
  return [&pool](std::function<void()> work) { net::post(pool, std::move(work)); };
}
/// The same of what may take all processors for a while: steps go before.
auto after_steps_in(net::thread_pool& pool) {
  return [&pool](std::function<void()> work) {
    net::post(pool, [work = std::move(work)] {
      constexpr int lower = 10;
      // Of this thread alone.
      thread_local const int done =
          ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + lower);
      (void)done;
      work();
    });
  };
}

/// What all connections share. But for the pools, only the thread of the sockets touches it.
struct Shared {
  Shared(Service& of, const HttpOptions& given)
      : service(of),
        options(given),
        step_pool(step_threads() + spare),
        long_pool(long_threads() + spare),
        sync_pool(given.sync_threads),
        slow_pool(given.slow_threads),
        reading_pool(given.reading_threads),
        stream_pool(of.readers().most()),
        steps({{in(step_pool), step_threads(), spare}, {in(long_pool), long_threads(), spare}},
              turns_options()),
        slow({{after_steps_in(slow_pool), given.slow_threads}}, turns_options()),
        reading({{after_steps_in(reading_pool), given.reading_threads}}, turns_options()),
        stream(after_steps_in(stream_pool)),
        settling(of, given.sync_threads, in(sync_pool),
                 [this](std::vector<Answered> group) { send(std::move(group)); }) {}

  [[nodiscard]] std::size_t step_threads() const {
    if (options.step_threads > 0) return options.step_threads;
    return std::max<std::size_t>(4, 2 * std::size_t{std::thread::hardware_concurrency()});
  }
  static std::size_t long_threads() {
    return std::max<std::size_t>(1, std::thread::hardware_concurrency() / 2);
  }
  [[nodiscard]] Turns::Options turns_options() const {
    Turns::Options wanted{.has_tenants = service.has_tokens()};
    // There a step that waits is as usual.
    if (!options.steps_take_turns) wanted.time = Turns::Clock::duration::max();
    return wanted;
  }
  /// From another thread.
  void send(std::vector<Answered> group) {
    net::post(io, [group = std::move(group)]() mutable {
      for (auto& [to, response] : group) to->respond(std::move(response));
    });
  }
  void join() {
    for (net::thread_pool* const pool :
         {&step_pool, &long_pool, &sync_pool, &slow_pool, &reading_pool, &stream_pool}) {
      pool->join();
    }
  }

  /// Threads of each kind of steps for who comes while others wait for locks.
  static constexpr std::size_t spare = 16;

  Service& service;
  const HttpOptions& options;
  net::io_context io{1};
  net::thread_pool step_pool;
  net::thread_pool long_pool;
  net::thread_pool sync_pool;
  net::thread_pool slow_pool;
  net::thread_pool reading_pool;
  net::thread_pool stream_pool;
  Turns steps;
  Turns slow;
  Turns reading;
  std::function<void(std::function<void()> work)> stream;
  Settling settling;
  std::set<Connection*> connections;
};

void shake_hands(Socket& /*socket*/, const std::function<void(error_code)>& then) { then({}); }
void shake_hands(TlsSocket& socket, const std::function<void(error_code)>& then) {
  socket.async_handshake(net::ssl::stream_base::server, then);
}

using Parser = http::request_parser<http::string_body>;
using Message = Parser::value_type;

void prepare(Parser& parser, const HttpOptions& options) {
  parser.eager(true);
  parser.body_limit(options.body);
  parser.header_limit(options.head);
}

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

Request request_of(Message message) {
  Request request{.method = text_of(message.method_string()),
                  .body = std::move(message.body()),
                  .host = text_of(message[http::field::host]),
                  .origin = text_of(message[http::field::origin]),
                  .authorization = text_of(message[http::field::authorization]),
                  .last_event_id = text_of(message["Last-Event-ID"])};
  set_target(text_of(message.target()), request);
  return request;
}

bool takes_chunks(const Message& message) { return message.version() >= 11; }

/// The answer to a request whose head alone says that it cannot be taken; nothing if it can be.
std::optional<Response> refusal_of(const Message& message) {
  const auto has = [&](http::field name) {
    return std::distance(message.equal_range(name).first, message.equal_range(name).second);
  };
  const auto codings = has(http::field::transfer_encoding);
  // Where the body of another coding ends nobody knows, and what follows it would be a request.
  if (codings > 1 ||
      (codings == 1 && !beast::iequals(message[http::field::transfer_encoding], "chunked"))) {
    return problem_response(
        {501, "unknown_coding", "of transfer codings this takes chunked alone, or none"});
  }
  const auto hosts = has(http::field::host);
  if (hosts > 1 || (hosts == 0 && message.version() >= 11)) {
    return problem_response(
        {400, ErrorCode::invalid_argument, "a request of HTTP/1.1 has one Host, and not two"});
  }
  return {};
}

/// Whether the client waits for a word before it sends the body.
bool expects_word(const Message& message) {
  return message.version() >= 11 && beast::iequals(message[http::field::expect], "100-continue");
}

/// The answer to what is no request; nothing if there is nobody to answer.
std::optional<Response> refusal_of(error_code error, const HttpOptions& options) {
  if (error == http::error::body_limit) {
    return problem_response(
        {413, "too_large",
         "the body is longer than " + std::to_string(options.body) +
             " bytes: send less at a time, or ask whoever runs the service to raise --max-body"});
  }
  if (error == http::error::header_limit) {
    return problem_response({431, "too_large",
                             "the head of the request is longer than " +
                                 std::to_string(options.head) +
                                 " bytes, which no option changes: send fewer or shorter headers"});
  }
  const bool is_of_http =
      error.category() == http::make_error_code(http::error::bad_method).category();
  if (!is_of_http || error == http::error::end_of_stream || error == http::error::partial_message) {
    return {};
  }
  return problem_response({400, ErrorCode::invalid_argument, "this is no HTTP request"});
}

/// A connection and the request that it is at. It lives as long as something is under way for it.
template <class Stream>
class Session final : public Connection, public std::enable_shared_from_this<Session<Stream>> {
 public:
  Session(Stream stream, Shared& shared)
      : stream_(std::move(stream)), shared_(shared), second_(shared.io.get_executor()) {
    error_code ignored;
    const auto peer = stream_.lowest_layer().remote_endpoint(ignored);
    if (!ignored) client_ = peer.address().to_string(ignored);
    shared_.connections.insert(this);
    shared_.service.metrics().connected(1);
  }
  ~Session() override {
    shared_.connections.erase(this);
    shared_.service.metrics().connected(-1);
  }

  void start() {
    expect_within(shared_.options.request_time);
    shake_hands(stream_, [self = this->shared_from_this()](error_code error) {
      if (!error) self->wait_for_request(self->shared_.options.request_time);
    });
  }
  void respond(Response response) override {
    response_ = std::move(response);
    // Before it is sent: the client may have left.
    if (shared_.options.audit && is_audited(response_)) {
      shared_.options.audit(audit_line(log_entry(), response_));
    }
    if (shared_.service.draining()) keep_alive_ = false;
    if (is_head()) return write_head_alone();
    if (response_.stream) return write_head([](const Self& self) { self->write_stream(); });
    if (response_.events) return write_head([](const Self& self) { self->next_event(); });
    write(
        head_text(response_, keep_alive_, response_.body.size()),
        [](const Self& self) { self->finish(); }, response_.body);
  }
  void drain() override {
    if (is_idle_) close();
    second_.cancel();
  }
  void close() override {
    error_code ignored;
    stream_.lowest_layer().close(ignored);
    second_.cancel();
  }

 private:
  using Self = std::shared_ptr<Session>;

  void wait_for_request(std::chrono::seconds time) {
    parser_.emplace();
    prepare(*parser_, shared_.options);
    if (buffer_.size() > 0) return read_request();
    if (shared_.service.draining()) return;
    constexpr std::size_t first_read = 4096;
    is_idle_ = true;
    expect_within(time);
    stream_.async_read_some(buffer_.prepare(first_read),
                            [self = this->shared_from_this()](error_code error, std::size_t count) {
                              self->is_idle_ = false;
                              if (error) return;
                              self->buffer_.commit(count);
                              self->read_request();
                            });
  }

  void read_request() {
    begin_ = SteadyClock::now();
    method_.clear();
    route_ = routes().size() - 1;
    expect_within(shared_.options.request_time);
    // Mostly all of it has come, and async_read() would take a turn to find that out.
    error_code found;
    buffer_.consume(parser_->put(buffer_.data(), found));
    if (found == http::error::need_more) found = {};
    if (parser_->is_header_done()) return take_head(found);
    if (found) return refuse(found);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = this->shared_from_this()](error_code error, std::size_t) {
                              if (error) return self->refuse(error);
                              self->take_head({});
                            });
  }
  /// The head has come, and perhaps more, which may be in error.
  void take_head(error_code found) {
    if (auto refusal = refusal_of(parser_->get())) return refuse(std::move(*refusal));
    if (found) return refuse(found);
    if (parser_->is_done()) return answer();
    Request head = request_of(parser_->get());
    (void)begin(head);
    if (auto early = shared_.service.early_answer(head)) return refuse(std::move(*early));
    try {
      body_ =
          shared_.service.memory().take(parser_->content_length().value_or(shared_.options.body));
    } catch (const Problem& problem) {
      return refuse(problem_response(problem));
    }
    if (!expects_word(parser_->get())) return read_body();
    write("HTTP/1.1 100 Continue\r\n\r\n", [](const Self& self) { self->read_body(); });
  }
  void read_body() {
    http::async_read(stream_, buffer_, *parser_,
                     [self = this->shared_from_this()](error_code error, std::size_t) {
                       if (error) return self->refuse(error);
                       self->answer();
                     });
  }

  void refuse(error_code error) {
    if (auto refusal = refusal_of(error, shared_.options)) refuse(std::move(*refusal));
  }
  void refuse(Response refusal) {
    keep_alive_ = false;
    lingers_ = true;
    refusal.route = route_;
    respond(std::move(refusal));
  }

  /// What logs say of a request that has come. HEAD is answered as GET is, without the body.
  Match begin(Request& request) {
    begin_ = SteadyClock::now();
    method_ = request.method;
    if (is_head()) request.method = "GET";
    const Match found = match(request.method, request.path);
    route_ = found.route;
    return found;
  }
  void answer() {
    if (!stream_.lowest_layer().is_open()) return;  // nobody would see what was done
    expect_nothing();
    auto message = parser_->release();
    keep_alive_ = message.keep_alive();
    takes_chunks_ = takes_chunks(message);
    Request request = request_of(std::move(message));
    const Match found = begin(request);
    const Route& route = routes()[route_];
    if (route.pace == Pace::at_once) return respond(shared_.service.answer(request));
    turn_.tenant = shared_.service.tenant_of(request.authorization);
    turn_.name = found.name.empty() ? route.path : found.name;
    std::shared_ptr<Recipient> to = this->shared_from_this();
    // Who asks whether the service is ready is told that its threads hang, if they do.
    const bool is_probe = route.scope == Scope::none;
    if (is_probe) to = limited(std::move(to));
    auto work = [&shared = shared_, to = std::move(to), request = std::move(request)]() mutable {
      Answered answered{std::move(to), shared.service.begin(request)};
      if (answered.response.unsettled.study != nullptr) {
        return shared.settling.add(std::move(answered));
      }
      std::vector<Answered> alone;
      alone.push_back(std::move(answered));
      shared.send(std::move(alone));
    };
    if (route.pace == Pace::step) {
      shared_.steps.add(turn_, std::move(work), is_probe || shared_.options.steps_take_turns);
    } else if (route.pace == Pace::slow) {
      // To create a study waits for no other.
      shared_.slow.add(turn_, std::move(work), !found.name.empty());
    } else {
      shared_.reading.add(turn_, std::move(work), false);
    }
  }
  /// Answers in place of threads that hang.
  std::shared_ptr<Recipient> limited(std::shared_ptr<Recipient> to) {
    auto first = std::make_shared<FirstAnswer>(std::move(to));
    second_.expires_after(shared_.options.probe_time);
    // Which is nobody's business when the threads have answered.
    second_.async_wait([weak = std::weak_ptr(first), route = route_](error_code error) {
      const auto unanswered = weak.lock();
      if (error || unanswered == nullptr) return;
      Response hangs = problem_response(
          {503, ErrorCode::busy,
           "the threads that make steps hang, as if locks or the disk were held: try again"});
      hangs.route = route;
      unanswered->respond(std::move(hangs));
    });
    return first;
  }

  /// Writes a text, and what follows it, which stays as it is until then.
  void write(std::string text, void (*then)(const Self& self), std::string_view rest = {}) {
    out_ = std::move(text);
    bytes_ += out_.size() + rest.size();
    expect_within(shared_.options.request_time);
    net::async_write(stream_,
                     std::array<net::const_buffer, 2>{net::buffer(out_), net::buffer(rest)},
                     [self = this->shared_from_this(), then](error_code error, std::size_t) {
                       if (!error) then(self);
                     });
  }

  void finish() {
    log();
    response_ = {};
    body_ = {};
    if (keep_alive_) return wait_for_request(shared_.options.idle_time);
    error_code ignored;
    stream_.lowest_layer().shutdown(tcp::socket::shutdown_send, ignored);
    if (lingers_ && !shared_.service.draining()) read_the_rest();
  }
  /// A client that still sends would not see the answer if the connection was closed now.
  void read_the_rest() {
    constexpr std::size_t at_a_time = 1U << 16U;
    buffer_.clear();
    is_idle_ = true;
    stream_.async_read_some(buffer_.prepare(at_a_time),
                            [self = this->shared_from_this()](error_code error, std::size_t) {
                              if (!error) self->read_the_rest();
                            });
  }

  void log() {
    if (shared_.options.log) shared_.options.log(log_line(log_entry(), response_));
    bytes_ = 0;
  }
  [[nodiscard]] LogEntry log_entry() const {
    const std::chrono::duration<double> seconds = SteadyClock::now() - begin_;
    return {.at = shared_.service.now(),
            .client = client_,
            .method = method_,
            .seconds = seconds.count(),
            .bytes = bytes_};
  }

  [[nodiscard]] bool is_head() const { return method_ == "HEAD"; }
  void write_head_alone() {
    const bool has_length = !response_.stream && !response_.events;
    if (!has_length) keep_alive_ = false;
    std::optional<std::size_t> length;
    if (has_length) length = response_.body.size();
    write(head_text(response_, keep_alive_, length), [](const Self& self) { self->finish(); });
  }

  /// Of what is written bit by bit.
  void write_head(void (*then)(const Self& self)) {
    if (!takes_chunks_) keep_alive_ = false;
    write(head_text(response_, keep_alive_, {}, takes_chunks_), then);
  }
  [[nodiscard]] std::string framed(const std::string& part) const {
    return takes_chunks_ ? chunk_text(part) : part;
  }
  void write_end() {
    write(takes_chunks_ ? last_chunk : std::string(), [](const Self& self) { self->finish(); });
  }

  /// A thread makes the parts, and waits for each until it is written.
  void write_stream() {
    expect_nothing();
    credit_.emplace(shared_.options.request_time, shared_.options.reading_rate);
    shared_.stream([self = this->shared_from_this()]() mutable {
      bool is_whole = true;
      try {
        self->response_.stream([&](const std::string& part) { return self->write_part(part); });
      } catch (const std::exception& error) {
        self->response_.failure = error.what();
        is_whole = false;
      }
      auto& io = self->shared_.io;
      net::post(io, [self = std::move(self), is_whole] {
        if (is_whole) return self->write_end();
        self->log();  // without the last chunk the client sees that it is not whole
        self->close();
      });
    });
  }
  bool write_part(const std::string& part) {
    if (part.empty()) return true;
    std::promise<bool> written;
    auto is_written = written.get_future();
    net::post(shared_.io, [this, &part, &written] {
      out_ = framed(part);
      bytes_ += out_.size();
      expect_within(credit_->left());
      const auto begin = SteadyClock::now();
      net::async_write(stream_, net::buffer(out_),
                       [this, begin, &written](error_code error, std::size_t) {
                         expect_nothing();
                         credit_->take(out_.size(), SteadyClock::now() - begin);
                         written.set_value(!error);
                       });
    });
    return is_written.get();
  }

  void next_event() {
    expect_nothing();
    if (shared_.service.draining()) return write_last_event();
    auto work = [self = this->shared_from_this()]() mutable {
      std::optional<std::string> text;
      try {
        text = self->response_.events();
      } catch (const std::exception& error) {
        self->response_.failure = error.what();
      }
      auto& io = self->shared_.io;
      net::post(io, [self = std::move(self), text = std::move(text)] { self->write_event(text); });
    };
    shared_.steps.add(turn_, std::move(work), shared_.options.steps_take_turns);
  }
  void write_event(const std::optional<std::string>& text) {
    if (!text) return write_last_event();
    // A comment, if there is nothing to say: so one learns that the client has left.
    write(framed(text->empty() ? ":\n\n" : *text), [](const Self& self) { self->wait_a_second(); });
  }
  void write_last_event() {
    write(framed("event: bye\ndata: {}\n\n"), [](const Self& self) { self->write_end(); });
  }
  void wait_a_second() {
    expect_nothing();
    second_.expires_after(std::chrono::seconds(1));
    second_.async_wait([self = this->shared_from_this()](error_code) { self->next_event(); });
  }

  Stream stream_;
  Shared& shared_;
  Timer second_;
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  Response response_;
  std::shared_ptr<void> body_;  // the memory of one that comes in parts
  std::string out_;
  std::string client_;
  std::string method_;
  std::size_t route_ = 0;
  Turns::Key turn_;
  std::optional<Credit> credit_;  // of who reads a log
  SteadyClock::time_point begin_ = SteadyClock::now();
  std::uint64_t bytes_ = 0;
  bool keep_alive_ = false;
  bool takes_chunks_ = true;
  bool is_idle_ = false;
  bool lingers_ = false;
};

/// Where to listen.
tcp::endpoint endpoint_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto port =
      base::read_whole_number(colon == std::string::npos ? "" : text.substr(colon + 1));
  std::string host = text.substr(0, colon);
  if (host == "localhost") host = "127.0.0.1";
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  error_code error;
  const auto address = net::ip::make_address(host, error);
  base::require(port && *port <= UINT16_MAX && !error,
                "'" + text + "' is no address and port: take one like 127.0.0.1:8600");
  return {address, static_cast<std::uint16_t>(*port)};
}

/// Throws for an address that must not be listened at.
void require_safe(const tcp::endpoint& endpoint, const Service& service,
                  const HttpOptions& options) {
  if (endpoint.address().is_loopback()) return;
  base::require(service.has_tokens(),
                "others can reach " + options.listen +
                    ", and without tokens anyone may do anything: give --tokens, or listen at "
                    "127.0.0.1");
  base::require(!options.certificate.empty() || options.insecure,
                "others can reach " + options.listen +
                    ", and without TLS they can read the tokens: give --certificate and --key, or "
                    "--insecure if something else encrypts");
}

/// The certificate and its key; nothing if there are none.
std::optional<net::ssl::context> tls_of(const HttpOptions& options) {
  base::require(options.certificate.empty() == options.key.empty(),
                "TLS needs both --certificate and --key");
  if (options.certificate.empty()) return {};
  net::ssl::context context(net::ssl::context::tls_server);
  context.set_options(net::ssl::context::default_workarounds | net::ssl::context::no_sslv2 |
                      net::ssl::context::no_sslv3 | net::ssl::context::no_tlsv1 |
                      net::ssl::context::no_tlsv1_1);
  error_code error;
  context.use_certificate_chain_file(options.certificate, error);
  if (error) throw InputError(options.certificate + " is no certificate: " + error.message());
  context.use_private_key_file(options.key, net::ssl::context::pem, error);
  if (error) throw InputError(options.key + " is no key of it: " + error.message());
  return context;
}

class Server {
 public:
  Server(Service& service, const HttpOptions& options)
      : shared_(service, options),
        tls_(tls_of(options)),
        acceptor_(shared_.io),
        signals_(shared_.io, SIGTERM, SIGINT, SIGHUP),
        second_(shared_.io.get_executor()),
        pause_(shared_.io.get_executor()) {
    const tcp::endpoint endpoint = endpoint_of(options.listen);
    require_safe(endpoint, service, options);
    try {
      acceptor_.open(endpoint.protocol());
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind(endpoint);
      acceptor_.listen();
    } catch (const boost::system::system_error& error) {
      throw InputError("cannot listen at " + options.listen + ": " + error.code().message());
    }
  }

  void run() {
    if (shared_.options.started) shared_.options.started(address());
    shared_.service.watch_syncs([this](const std::string& line) {
      net::post(shared_.io,
                [this, line] { shared_.options.log ? shared_.options.log(line) : say(line); });
    });
    accept();
    wait_for_signal();
    look_after_connections();
    while (!shared_.io.stopped()) {
      try {
        shared_.io.run();
      } catch (const std::exception& error) {  // of one connection, which ends with it
        say(error.what());
      }
    }
    shared_.join();
  }

 private:
  [[nodiscard]] std::string address() const {
    const auto endpoint = acceptor_.local_endpoint();
    const std::string host = endpoint.address().to_string();
    return (tls_ ? "https://" : "http://") +
           (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" +
           std::to_string(endpoint.port());
  }
  void say(const std::string& line) const {
    if (shared_.options.say) shared_.options.say(line);
  }

  void accept() {
    acceptor_.async_accept(shared_.io, [this](error_code error, Socket socket) {
      if (shared_.service.draining()) return;
      if (error) return wait_and_accept();
      if (shared_.connections.size() < shared_.options.connections) {
        begin(std::move(socket));
      } else if (!tls_) {
        turn_away(std::move(socket));
      }
      accept();
    });
  }
  /// Says why, and waits for nothing. It is closed a while later: at once the client, which sends
  /// something, would not see the answer.
  void turn_away(Socket socket) {
    const Response refusal = problem_response(
        {503, "connections",
         "the service has " + std::to_string(shared_.options.connections) +
             " connections: try again, or ask whoever runs it to raise --max-connections"});
    const std::string text = head_text(refusal, false, refusal.body.size()) + refusal.body;
    error_code ignored;
    socket.non_blocking(true, ignored);
    (void)socket.write_some(net::buffer(text), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
    constexpr std::size_t few = 16;
    if (turned_away_.size() < few) turned_away_.push_back(std::move(socket));
  }
  /// When there are no descriptors left there may be some later.
  void wait_and_accept() {
    pause_.expires_after(std::chrono::milliseconds(100));
    pause_.async_wait([this](error_code error) {
      if (!error) accept();
    });
  }
  void begin(Socket socket) {
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    if (tls_) {
      std::make_shared<Session<TlsSocket>>(TlsSocket(std::move(socket), *tls_), shared_)->start();
    } else {
      std::make_shared<Session<Socket>>(std::move(socket), shared_)->start();
    }
  }

  void wait_for_signal() {
    signals_.async_wait([this](error_code error, int signal) {
      if (error) return;
      if (signal == SIGHUP) {
        read_again();
      } else {
        drain(signal);
      }
      wait_for_signal();
    });
  }
  void read_again() {
    try {
      shared_.service.read_tokens();
    } catch (const std::exception& error) {
      say(std::string("the tokens are as before: ") + error.what());
    }
    try {
      // Connections that there are keep the certificate that they began with.
      if (tls_) tls_ = tls_of(shared_.options);
    } catch (const std::exception& error) {
      say(std::string("the certificate is as before: ") + error.what());
    }
    try {
      if (shared_.options.hung_up) shared_.options.hung_up();
    } catch (const std::exception& error) {
      say(std::string("the log is as before: ") + error.what());
    }
  }
  void drain(int signal) {
    constexpr int by_signal = 128;
    if (shared_.service.draining()) std::_Exit(by_signal + signal);  // as safe as any end
    shared_.service.drain();
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    give_up_ = SteadyClock::now() + shared_.options.drain_time;
    for_each([](Connection& connection) { connection.drain(); });
    second_.cancel();  // look now
  }

  /// Connections may end while they are looked at.
  template <class Function>
  void for_each(Function f) {
    const std::set<Connection*> all = shared_.connections;
    for (Connection* const connection : all) {
      if (shared_.connections.contains(connection)) f(*connection);
    }
  }
  void look_after_connections() {
    const bool draining = shared_.service.draining();
    const auto now = SteadyClock::now();
    if (draining && shared_.connections.empty()) return shared_.io.stop();
    // What was closed and is still there waits for a lock or a database. Nobody was answered.
    if (draining && now > give_up_ + std::chrono::milliseconds(100)) {
      say("calls that hang are given up: " + std::to_string(shared_.connections.size()));
      std::_Exit(0);
    }
    for_each([&](Connection& connection) {
      if (draining && now > give_up_) {
        connection.close();
      } else {
        connection.require_progress(now);
      }
    });
    for (Turns* const turns : {&shared_.steps, &shared_.slow, &shared_.reading}) turns->look();
    turned_away_before_ = std::exchange(turned_away_, {});
    if (!draining && !makes_room_.exchange(true)) {
      net::post(shared_.sync_pool, [this] {
        try {
          (void)shared_.service.studies().make_room();
        } catch (const std::exception&) {  // it is tried again in a second
        }
        makes_room_ = false;
      });
    }
    second_.expires_after(draining ? std::chrono::milliseconds(5)
                                   : std::chrono::milliseconds(1000));
    second_.async_wait([this](error_code) { look_after_connections(); });
  }

  Shared shared_;
  std::optional<net::ssl::context> tls_;
  net::basic_socket_acceptor<tcp, net::io_context::executor_type> acceptor_;
  net::signal_set signals_;
  Timer second_;
  Timer pause_;
  std::vector<Socket> turned_away_;  // since the last second, and in that before
  std::vector<Socket> turned_away_before_;
  std::atomic<bool> makes_room_ = false;
  SteadyClock::time_point give_up_ = SteadyClock::time_point::max();
};

}  // namespace

void serve(Service& service, const HttpOptions& options) { Server(service, options).run(); }

std::string answer_bytes(Service& service, const HttpOptions& options, std::string_view bytes) {
  std::string answers;
  const auto add = [&](const Response& response, bool keep_alive) {
    std::string body = response.body;
    if (response.stream) {
      response.stream([&](const std::string& part) {
        body += part;
        return true;
      });
    }
    answers += head_text(response, keep_alive, body.size()) + body;
  };
  while (!bytes.empty()) {
    Parser parser;
    prepare(parser, options);
    error_code error;
    bytes.remove_prefix(parser.put(net::buffer(bytes.data(), bytes.size()), error));
    if (!error && !parser.is_done()) error = http::error::partial_message;
    if (error == http::error::need_more) error = http::error::partial_message;
    if (error) {
      if (const auto refusal = refusal_of(error, options)) add(*refusal, false);
      break;
    }
    if (const auto refusal = refusal_of(parser.get())) {
      add(*refusal, false);
      break;
    }
    Message message = parser.release();
    const bool keep_alive = message.keep_alive();
    add(service.answer(request_of(std::move(message))), keep_alive);
    if (!keep_alive) break;
  }
  return answers;
}

}  // namespace keyhole::service
