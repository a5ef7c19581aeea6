// Where the page of a rule is. The site is made by cli/package/site/site.py. See pages.h.
#include "rules/pages.h"

#include <algorithm>

#ifndef ESPALIER_SITE
#define ESPALIER_SITE ""
#endif

namespace espalier::rules {

bool is_site(std::string_view address) {
  // As in RFC 3986, without '?' and '#'. A terminal and a browser take nothing of it for a command.
  constexpr std::string_view kMarks = "-._~:/[]@!$&'()*+,;=%";
  const auto is_allowed = [&](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || kMarks.find(c) != std::string_view::npos;
  };
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (address.substr(0, scheme.size()) != scheme) continue;
    address.remove_prefix(scheme.size());
    return !address.empty() && address.front() != '/' && std::all_of(address.begin(), address.end(), is_allowed);
  }
  return false;
}

std::string page_of(std::string_view code, std::string_view site) {
  std::string address(site.empty() ? std::string_view(ESPALIER_SITE) : site);
  if (address.empty()) return address;
  if (address.back() != '/') address += '/';
  return address + "rules/" + std::string(code) + ".html";
}

}  // namespace espalier::rules
