// Serves what a browser on this machine asks for, over HTTP on 127.0.0.1: only to who knows a random token, and to no
// page of another site. Without threads: it is asked to go on when something may have come.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/connection.h"

namespace espalier::cli {

class PageServer {
 public:
  struct Content {
    std::string type;  // "text/html; charset=utf-8"
    std::string text;
  };
  // What is at a path below the token, such as "" or "data?rows=3"; none: nothing.
  using Find = std::function<std::optional<Content>(std::string_view path)>;

  // Port 0: any that is free.
  PageServer(std::uint16_t port, Find find);

  const std::string& error() const { return listener_.error(); }  // why it does not serve; empty: it does
  // "http://127.0.0.1:PORT/TOKEN/"
  std::string address() const { return "http://" + host_ + '/' + token_ + '/'; }

  // What wait_for() is to wait for.
  const system::Listener& listener() const { return listener_; }
  void add_connections(std::vector<system::Connection*>& connections) const;
  // Takes connections, and answers what has come. `now_us`: of any clock.
  void go_on(std::int64_t now_us);

 private:
  struct Visit {
    std::unique_ptr<system::Connection> connection;
    std::string request;
    std::int64_t begin_us = 0;
    bool is_answered = false;
  };
  std::string answer(std::string_view request) const;
  bool is_allowed(std::string_view request) const;

  const Find find_;
  system::Listener listener_;
  const std::string host_;   // "127.0.0.1:PORT"
  const std::string token_;  // 32 hexadecimal digits
  std::vector<Visit> visits_;
};

}  // namespace espalier::cli
