# What building and testing espalier needs, and how to get it. Sourced by quickstart.sh and tests/run.sh, which call
#   need_packages build        or        need_packages build test
# Asks compiler and shell what is there, not the package manager, so that a tool from elsewhere counts. What is missing
# is installed where there is apt-get; where there is not, it is named and nothing is changed.
# shellcheck shell=sh

packages_of() {
  case $1 in
    build) echo g++ cmake ninja-build libcli11-dev libpugixml-dev nlohmann-json3-dev liblua5.4-dev libxxhash-dev libdtl-dev libcadical-dev libsqlite3-dev libzstd-dev liblz4-dev ;;
    pictures) echo pkg-config librsvg2-dev ;;  # optional: for PNG and PDF
    test) echo catch2 libbenchmark-dev libxml2-utils python3 python3-jsonschema python3-zmq pkg-config clang clang-format clang-tidy minisat locales make valgrind gdb lld ;;
    packaging) echo dpkg-dev lintian debootstrap ;;
    python) echo python3-pytest python3-venv mypy ;;
    services) echo python3-yaml python3-pip-whl python3-setuptools-whl python3-wheel-whl pre-commit busybox-static curl git ;;
    ros) echo ament-cmake colcon python3-colcon-cmake python3-colcon-ros python3-colcon-test-result ;;
    bazel) echo bazel-bootstrap ;;
    libcxx) echo clang-16 libclang-rt-16-dev libc++-16-dev libc++abi-16-dev lld dpkg-dev tcl ;;
    windows) echo g++-mingw-w64-x86-64-posix wine64 dpkg-dev ;;
    aarch64) echo g++-aarch64-linux-gnu qemu-user-static dpkg-dev tcl ;;
    processors) echo g++-arm-linux-gnueabihf g++-riscv64-linux-gnu g++-s390x-linux-gnu qemu-user-static ;;
    microcontroller) echo gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-dev libstdc++-arm-none-eabi-newlib qemu-system-arm make ;;
    wasm) echo emscripten nodejs npm dpkg-dev ;;
    editors) echo neovim vim emacs-nox elpa-eglot nodejs npm ;;
    browser) echo chromium nodejs npm fonts-dejavu-core ;;
    # Named after clang's version, so only when clang is there. Some distributions have it in another package, which clang
    # brings along.
    sanitizers) echo "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" ;;
  esac
}

has_command() { command -v "$1" >/dev/null 2>&1; }

has_header() {
  printf '#if !__has_include(<%s>)\n#error missing\n#endif\n' "$1" | g++ -std=c++20 -x c++ -E - >/dev/null 2>&1
}

is_there() {
  case $1 in
    ninja-build) has_command ninja ;;
    libc++*-16-dev) echo '#include <string>' | clang++-16 -stdlib=libc++ -x c++ -E - >/dev/null 2>&1 ;;
    dpkg-dev) has_command dpkg-shlibdeps ;;
    bazel-bootstrap) has_command bazel ;;
    emscripten) has_command em++ ;;
    g++-mingw-w64-x86-64-posix) has_command x86_64-w64-mingw32-g++-posix ;;
    wine64) [ -x /usr/lib/wine/wine64 ] ;;
    g++-*) has_command "${1#g++-}-g++" ;;
    gcc-arm-none-eabi) has_command arm-none-eabi-gcc ;;
    qemu-user-static) has_command qemu-aarch64-static ;;
    tcl) has_command tclsh ;;
    libnewlib-arm-none-eabi) [ -e "$(arm-none-eabi-gcc -print-file-name=libc_nano.a 2>/dev/null)" ] ;;
    libstdc++-arm-none-eabi-*) echo '#include <cstdint>' | arm-none-eabi-g++ -x c++ -mcpu=cortex-m3 -mthumb -E - >/dev/null 2>&1 ;;
    nodejs) has_command node ;;
    neovim) has_command nvim ;;
    emacs-nox) has_command emacs ;;
    elpa-eglot) emacs -q --batch --eval "(require 'eglot)" >/dev/null 2>&1 ;;  # newer versions of Emacs have it
    libcli11-dev) has_header CLI/CLI.hpp ;;
    libpugixml-dev) has_header pugixml.hpp ;;
    libxxhash-dev) has_header xxhash.h ;;
    libdtl-dev) has_header dtl/dtl.hpp ;;
    libcadical-dev) has_header cadical.hpp ;;
    libsqlite3-dev) has_header sqlite3.h ;;
    libzstd-dev) has_header zstd.h ;;
    fonts-dejavu-core) [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] ;;
    liblz4-dev) has_header lz4frame.h ;;
    librsvg2-dev) has_header librsvg-2.0/librsvg/rsvg.h ;;
    nlohmann-json3-dev) has_header nlohmann/json.hpp ;;
    # Debian has the headers of each version of Lua in a folder of their own, other systems where all headers are.
    liblua5.4-dev) has_header lua5.4/lua.hpp || has_header lua.hpp ;;
    catch2) has_header catch2/catch.hpp || has_header catch2/catch_all.hpp ;;
    locales) has_command localedef && [ -e /usr/share/i18n/locales/tr_TR ] ;;
    libxml2-utils) has_command xmllint ;;
    python3-jsonschema) python3 -c 'import jsonschema' 2>/dev/null ;;
    python3-zmq) python3 -c 'import zmq' 2>/dev/null || /usr/bin/python3 -c 'import zmq' 2>/dev/null ;;
    python3-pytest) python3 -c 'import pytest' 2>/dev/null || /usr/bin/python3 -c 'import pytest' 2>/dev/null ;;
    python3-yaml) /usr/bin/python3 -c 'import yaml' 2>/dev/null ;;
    python3-*-whl) wheel=${1#python3-} && ls /usr/share/python-wheels/"${wheel%-whl}"-*.whl >/dev/null 2>&1 ;;
    busybox-static) has_command busybox && ! ldd "$(command -v busybox)" >/dev/null 2>&1 ;;
    ament-cmake) [ -e /usr/share/ament_cmake/package.xml ] ;;
    python3-colcon-*) module=${1#python3-} && /usr/bin/python3 -c "import $(echo "$module" | tr - _)" 2>/dev/null ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null || /usr/bin/python3 -c 'import ensurepip' 2>/dev/null ;;
    libbenchmark-dev) has_header benchmark/benchmark.h ;;
    libclang-rt-16-dev) echo 'int main() {}' | clang++-16 -fsanitize=thread -x c++ - -o /dev/null >/dev/null 2>&1 ;;
    libclang-rt-*) echo 'int main() {}' | clang++ -fsanitize=address,undefined -x c++ - -o /dev/null >/dev/null 2>&1 ;;
    lld) has_command ld.lld ;;
    *) has_command "$1" ;;
  esac
}

missing_of() {
  for package in $(packages_of "$1"); do
    is_there "$package" || printf '%s ' "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

can_install() {
  has_command apt-get && { [ "$(id -u)" = 0 ] || has_command sudo; }
}

say_missing() {
  {
    echo "Missing: $*"
    echo "(These are the names Debian and Ubuntu give the packages.)"
    if has_command apt-get; then
      echo "Install them as root, then run this again: apt-get install $*"
    else
      echo "There is no apt-get here. Install them with the package manager you have, then run this again."
    fi
  } >&2
}

install() {
  echo "Installing $*"
  as_root apt-get -qq update || echo "apt-get update failed; going on with the package lists that are there." >&2
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@" >/dev/null
}

# Installs what is missing of these groups. Fails, having said what is missing, when something still is.
need_packages() {
  for group in "$@"; do
    missing=$(missing_of "$group")
    [ -n "$missing" ] || continue
    # shellcheck disable=SC2086  # one word a package
    if ! can_install; then
      say_missing $missing
      return 1
    fi
    # shellcheck disable=SC2086
    install $missing || true
    missing=$(missing_of "$group")
    # shellcheck disable=SC2086
    [ -z "$missing" ] || { say_missing $missing; return 1; }
  done
}

# A cache of compiler output speeds up building again; it is used where it is there.
launcher_options() {
  if has_command ccache; then echo -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
}

# The linker with the least work for programs that have debugging information.
linker_options() {
  if has_command ld.lld; then echo -DCMAKE_EXE_LINKER_FLAGS_DEBUG=-fuse-ld=lld -DCMAKE_EXE_LINKER_FLAGS_RELEASE=-fuse-ld=lld; fi
}
