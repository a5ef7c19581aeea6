// Finds what works differently in Lua 5.1 and Lua 5.4. It examines only the tokens of the script, so it reports likely
// differences, not all possible ones. See syntax.h.
#include <algorithm>
#include <utility>

#include "script/lexer.h"
#include "script/syntax.h"

namespace espalier::script {
namespace {

struct Change {
  std::string_view library;
  std::string_view name;
  const char* hint;
  bool is_added;
};

constexpr Change kChanges[] = {
#define REMOVED(library, name, hint) {library, name, hint, false},
#define ADDED(library, name, hint) {library, name, hint, true},
#include "script/changes.def"
#undef REMOVED
#undef ADDED
};

constexpr std::string_view kNewOperators[] = {"//", "&", "|", "~", "<<", ">>"};

class Reader {
 public:
  explicit Reader(std::string_view script) : tokens_(read_tokens(script)), own_(find_own()) {}
  std::vector<PortabilityNote> read();

 private:
  bool is(std::size_t at, std::string_view word) const { return at < tokens_.size() && tokens_[at].is(word); }
  bool is_any(std::size_t at, std::initializer_list<std::string_view> words) const {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return is(at, word); });
  }
  bool is_kind(std::size_t at, TokenKind kind) const { return at < tokens_.size() && tokens_[at].kind == kind; }
  void note(std::size_t first, std::size_t last, std::string message, std::string hint);

  std::vector<std::string_view> find_own() const;
  bool is_asked_for(std::size_t first, std::size_t last) const;
  const Change* find_change(std::size_t first, std::size_t last) const;
  void read_name(std::size_t at);
  void read_goto(std::size_t at);

  bool ends_operand(std::size_t at) const;
  bool is_boundary(std::size_t left) const;
  std::size_t partner(std::size_t at, bool is_forward) const;
  enum class Text { none, any, whole };  // whole: only if it is a whole number
  Text text_of_call(std::size_t bracket) const;
  std::size_t open_bracket(std::size_t left) const;
  bool reaches_text(std::size_t& at, bool is_forward) const;
  Text text_of(std::size_t at) const;
  void read_division(std::size_t at);

  std::vector<Token> tokens_;
  std::vector<std::string_view> own_;  // sorted
  std::vector<PortabilityNote> notes_;
};

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
// How many tokens around an operator are examined: this keeps the time linear in the length of the script.
constexpr std::size_t kMaxDistance = 32;
constexpr int kMaxGroups = 4;  // the same for brackets

void Reader::note(std::size_t first, std::size_t last, std::string message, std::string hint) {
  notes_.push_back({tokens_[first].begin, tokens_[last].end, std::move(message), std::move(hint)});
}

// Names that the script assigns, or declares as parameters.
std::vector<std::string_view> Reader::find_own() const {
  std::vector<std::string_view> own;
  bool declares = false;  // after `local`, `for` or `function`, in a list of names
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const bool is_field = i > 0 && is_any(i - 1, {".", ":"});
    if (is_any(i, {"local", "for", "function"})) {
      declares = true;
    } else if (is_kind(i, TokenKind::name)) {
      if (declares || (!is_field && is(i + 1, "="))) own.push_back(tokens_[i].text);
    } else {
      declares = declares && is_any(i, {",", "(", ".", ":", "..."});
    }
  }
  std::sort(own.begin(), own.end());
  return own;
}

// `if name then`, `name or other`, `name == nil`: the script handles a missing name itself.
bool Reader::is_asked_for(std::size_t first, std::size_t last) const {
  return is_any(last + 1, {"or", "and", "then", "==", "~="}) || (first > 0 && is_any(first - 1, {"or", "not"}));
}

const Change* Reader::find_change(std::size_t first, std::size_t last) const {
  const std::string_view library = first == last ? std::string_view() : tokens_[first].text;
  for (const Change& change : kChanges) {
    if (change.name == tokens_[last].text && change.library == library) return &change;
  }
  return nullptr;
}

void Reader::read_name(std::size_t at) {
  const bool is_method = at > 0 && is(at - 1, ":");
  if (is_method) {
    if (is(at, "gfind")) note(at, at, "'gfind' exists only in Lua 5.1, not in Lua 5.4", "'gmatch' works in both");
    return;
  }
  if (at > 0 && is(at - 1, ".")) return;
  const std::size_t last = is(at + 1, ".") && is_kind(at + 2, TokenKind::name) ? at + 2 : at;
  const Change* change = find_change(at, last);
  const std::size_t end = change == nullptr ? at : last;
  if (change == nullptr) change = find_change(at, at);
  if (change == nullptr || std::binary_search(own_.begin(), own_.end(), tokens_[at].text) || is_asked_for(at, end))
    return;
  std::string name(change->library);
  name.append(name.empty() ? "" : ".").append(change->name);
  std::string message = change->is_added ? "Lua 5.1, which the engines use, has no '" + name + "'"
                                         : "'" + name + "' exists only in Lua 5.1, not in Lua 5.4";
  if (name == "load") message = "in Lua 5.1, which the engines use, 'load' does not accept a string";
  note(at, end, std::move(message), change->hint);
}

void Reader::read_goto(std::size_t at) {
  const bool is_jump = is_kind(at + 1, TokenKind::name) && !(at > 0 && is_any(at - 1, {".", ":", "local", "function"}));
  if (is_jump) {
    note(at, at + 1, "Lua 5.1, which the engines have, has no 'goto'", "");
  } else {
    note(at, at, "'goto' is a keyword in Lua 5.4", "another name works in both");
  }
}

// ---- Division: in Lua 5.4 its result is always a float, which is visible when it becomes text

bool Reader::ends_operand(std::size_t at) const {
  return tokens_[at].kind == TokenKind::name || tokens_[at].kind == TokenKind::number ||
         tokens_[at].kind == TokenKind::string || is_any(at, {")", "]", "}", "...", "nil", "true", "false"});
}

// Does an expression end between this token and the next one?
bool Reader::is_boundary(std::size_t left) const {
  const auto separates = [this](std::size_t at) {
    return tokens_[at].kind == TokenKind::keyword || is_any(at, {",", ";", "=", "==", "~=", "<", ">", "<=", ">="});
  };
  if (left + 1 >= tokens_.size() || separates(left) || separates(left + 1)) return true;
  const bool begins_operand = is_kind(left + 1, TokenKind::name) || is_kind(left + 1, TokenKind::number);
  return ends_operand(left) && begins_operand;
}

// The bracket that goes with the one at `at`, or kNowhere.
std::size_t Reader::partner(std::size_t at, bool is_forward) const {
  int depth = 0;
  for (std::size_t i = at, count = 0; i < tokens_.size() && count < kMaxDistance; is_forward ? ++i : --i, ++count) {
    if (is_any(i, {"(", "[", "{"})) depth += is_forward ? 1 : -1;
    if (is_any(i, {")", "]", "}"})) depth -= is_forward ? 1 : -1;
    if (depth == 0) return i;
  }
  return kNowhere;
}

// How the call with this bracket uses a number.
Reader::Text Reader::text_of_call(std::size_t bracket) const {
  if (bracket > 0 && is(bracket - 1, "tostring")) return Text::any;
  const bool is_whole = bracket > 0 && is(bracket - 1, "format") && is_kind(bracket + 1, TokenKind::string) &&
                        tokens_[bracket + 1].text.find("%d") != std::string_view::npos;
  return is_whole ? Text::whole : Text::none;
}

// The bracket that is open at `left`, or kNowhere: the argument of a call may come after others.
std::size_t Reader::open_bracket(std::size_t left) const {
  for (std::size_t count = 0; left > 0 && count < kMaxDistance; ++count) {
    --left;
    if (is_any(left, {"(", "[", "{"})) return left;
    if (is_any(left, {")", "]", "}"})) left = partner(left, false);
    if (left == kNowhere || tokens_[left].kind == TokenKind::keyword) break;
  }
  return kNowhere;
}

// Moves `at` to the end of its expression on that side, within the brackets around it. True: it is concatenated.
bool Reader::reaches_text(std::size_t& at, bool is_forward) const {
  for (std::size_t count = 0; count < kMaxDistance; ++count) {
    const std::size_t next = is_forward ? at + 1 : at - 1;
    if (next >= tokens_.size() || is_boundary(is_forward ? at : next)) return false;
    if (is_forward ? is_any(next, {")", "]", "}"}) : is_any(next, {"(", "[", "{"})) return false;
    at = next;
    if (is(at, "..")) return true;
    const bool is_bracket = is_forward ? is_any(at, {"(", "[", "{"}) : is_any(at, {")", "]", "}"});
    if (is_bracket) at = partner(at, is_forward);
    if (at == kNowhere) return false;
  }
  return false;
}

// Goes outwards from an operator, through the brackets around it, until its expression ends or becomes text.
Reader::Text Reader::text_of(std::size_t at) const {
  std::size_t left = at;
  std::size_t right = at;
  for (int depth = 0; depth < kMaxGroups; ++depth) {
    if (reaches_text(right, true) || reaches_text(left, false)) return Text::any;
    if (left == kNowhere || right == kNowhere) break;
    const std::size_t open = open_bracket(left);
    if (open == kNowhere) break;
    const bool is_group = is(open, "(") && !(open > 0 && ends_operand(open - 1));
    if (!is_group) return text_of_call(open);
    left = open;
    right = partner(open, true);
    if (right == kNowhere) break;
  }
  return Text::none;
}

void Reader::read_division(std::size_t at) {
  const std::string name = "'" + std::string(tokens_[at].text) + "'";
  switch (text_of(at)) {
    case Text::any:
      note(at, at, "the result of " + name + " becomes text: a whole number gives '2.0' in Lua 5.4, but '2' in Lua 5.1",
           "'string.format(\"%.14g\", ...)' works in both");
      break;
    case Text::whole:
      note(at, at,
           "'%d' with a result of " + name + " that is not whole is an error in Lua 5.4, but truncates it in Lua 5.1",
           "'math.floor(...)' around it works in both");
      break;
    case Text::none:
      break;
  }
}

std::vector<PortabilityNote> Reader::read() {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.is("goto")) {
      read_goto(i);
    } else if (token.kind == TokenKind::name) {
      read_name(i);
    } else if (token.is("::") && is_kind(i + 1, TokenKind::name) && is(i + 2, "::")) {
      note(i, i + 2, "Lua 5.1, which the engines use, has no labels", "");
      i += 2;
    } else if (token.is("<") && is_any(i + 1, {"const", "close"}) && is(i + 2, ">")) {
      note(i, i + 2, "Lua 5.1, which the engines use, has no variable attributes", "");
      i += 2;
    } else if (std::any_of(std::begin(kNewOperators), std::end(kNewOperators),
                           [&](auto word) { return token.is(word); })) {
      note(i, i, "Lua 5.1, which the engines use, has no operator '" + std::string(token.text) + "'",
           token.is("//") ? "'math.floor(a / b)' works in both" : "");
    } else if (token.is("/") || token.is("^")) {
      read_division(i);
    }
  }
  return std::move(notes_);
}

}  // namespace

std::vector<PortabilityNote> portability_notes(std::string_view script) { return Reader(script).read(); }

}  // namespace espalier::script
