// Waits until files in some folders may have changed.
#pragma once
#include <memory>
#include <string>

namespace espalier::system {

class Notifier {
 public:
  Notifier();
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  // A folder that counts from now on.
  void add(const std::string& folder);
  // Until something may have changed, and nothing has for a moment: editors write a file in several steps. Where the
  // system does not say that, a tenth of a second. False: nobody reads standard output any more, or the system cannot
  // wait, which has a reason.
  [[nodiscard]] bool sleep(std::string* reason);

 private:
  struct Watched;  // of the system
  std::unique_ptr<Watched> watched_;
};

}  // namespace espalier::system
