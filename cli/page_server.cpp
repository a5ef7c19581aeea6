// HTTP for one page. See page_server.h; RFC 9112 for the form of messages.
#include "cli/page_server.h"

#include <algorithm>
#include <random>
#include <utility>

namespace espalier::cli {
namespace {

constexpr std::size_t kMostRequestBytes = 8192;
constexpr std::size_t kMostVisits = 32;
constexpr std::int64_t kMostVisit_us = 10'000'000;
constexpr std::string_view kEnd = "\r\n\r\n";

std::string random_token() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) {
    std::uint32_t bits = random();
    for (int digit = 0; digit < 8; ++digit, bits >>= 4) token += kDigits[bits & 15];
  }
  return token;
}

bool equal_any_case(std::string_view left, std::string_view right) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
  };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

// The value of a header field; none: it is not there.
std::optional<std::string_view> field(std::string_view request, std::string_view name) {
  for (std::size_t at = request.find("\r\n"); at != std::string_view::npos; at = request.find("\r\n", at + 2)) {
    const std::string_view line = request.substr(at + 2, request.find("\r\n", at + 2) - at - 2);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !equal_any_case(line.substr(0, colon), name)) continue;
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
    return value;
  }
  return std::nullopt;
}

std::string response(std::string_view status, const PageServer::Content& content) {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: " + content.type +
         "\r\nContent-Length: " + std::to_string(content.text.size()) +
         "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
         "X-Frame-Options: DENY\r\nConnection: close" +
         std::string(kEnd) + content.text;
}

std::string refusal(std::string_view status) {
  return response(status, {"text/plain; charset=utf-8", std::string(status) + '\n'});
}

}  // namespace

PageServer::PageServer(std::uint16_t port, Find find)
    : find_(std::move(find)),
      listener_(port),
      host_("127.0.0.1:" + std::to_string(listener_.port())),
      token_(random_token()) {}

// A page of another site may make a browser ask, by another name of this machine too; the browser says so.
bool PageServer::is_allowed(std::string_view request) const {
  const std::optional<std::string_view> host = field(request, "Host");
  const std::string local = "localhost:" + std::to_string(listener_.port());
  if (host != host_ && host != local) return false;
  const std::optional<std::string_view> origin = field(request, "Origin");
  return !origin || *origin == "http://" + std::string(*host);
}

std::string PageServer::answer(std::string_view request) const {
  const std::string_view line = request.substr(0, request.find("\r\n"));
  const std::size_t begin = line.find(' ');
  const std::size_t end = line.rfind(' ');
  if (begin == std::string_view::npos || end == begin || !line.substr(end).starts_with(" HTTP/1."))
    return refusal("400 Bad Request");
  if (!is_allowed(request)) return refusal("403 Forbidden");
  if (line.substr(0, begin) != "GET") return refusal("405 Method Not Allowed");
  const std::string_view path = line.substr(begin + 1, end - begin - 1);
  const std::string own = '/' + token_ + '/';
  if (!path.starts_with(own)) return refusal("404 Not Found");
  const std::optional<Content> content = find_(path.substr(own.size()));
  return content ? response("200 OK", *content) : refusal("404 Not Found");
}

void PageServer::add_connections(std::vector<system::Connection*>& connections) const {
  for (const Visit& visit : visits_) connections.push_back(visit.connection.get());
}

void PageServer::go_on(std::int64_t now_us) {
  while (std::unique_ptr<system::Connection> connection = listener_.take(kMostRequestBytes)) {
    if (visits_.size() < kMostVisits) visits_.push_back({std::move(connection), {}, now_us});
  }
  for (Visit& visit : visits_) {
    const std::string come = visit.connection->take();
    if (visit.is_answered) continue;
    visit.request += come;
    const std::size_t end = visit.request.find(kEnd);
    if (end == std::string::npos && visit.request.size() <= kMostRequestBytes) continue;
    const bool is_whole = end <= kMostRequestBytes;
    visit.connection->send(is_whole ? answer(std::string_view(visit.request).substr(0, end))
                                    : refusal("431 Request Header Fields Too Large"));
    visit.is_answered = true;
  }
  std::erase_if(visits_, [&](const Visit& visit) {
    return visit.connection->state() == system::Connection::State::closed || now_us - visit.begin_us > kMostVisit_us ||
           (visit.is_answered && visit.connection->is_sent());
  });
}

}  // namespace espalier::cli
