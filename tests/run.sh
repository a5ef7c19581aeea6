#!/bin/sh
# All tests, from nothing: installs what is missing, builds twice (g++; clang with sanitizers) and runs everything.
#   sh tests/run.sh          everything that fits in half an hour on two processors
#   sh tests/run.sh --all    also what takes more than a minute by itself: clang-tidy, each file on its own, all inputs of growth, packages, build servers, ROS 2, a release, Windows, libc++, other processors, Bazel, editors and pages
# Prints a line per step, and the output of steps that fail; continues, and ends with exit status 1 if any failed. Logs are in
# build/tests/. ESPALIER_EXTRA_CASES names a folder with more conformance cases, one folder per dialect.
set -u
all=
[ "${1-}" = --all ] && all=--all && export ESPALIER_ALL_TESTS=1
cd "$(dirname "$0")/.." || exit 1
root=$PWD
. samples/packages.sh

logs=build/tests
failed=$logs/failed
mkdir -p "$logs"
: >"$failed"
extra_cases=${ESPALIER_EXTRA_CASES:-../shared/conformance}
job_count=$(nproc 2>/dev/null || echo 2)
# ccache keeps what it has where it would be without the next line.
export CCACHE_DIR="${CCACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ccache}"
# Not a folder, so that each run finds everything itself.
export XDG_CACHE_HOME=/dev/null
release=$root/build/test
sanitize=$root/build/sanitize

# Runs a step quietly, and says how long it took and how long the processors worked for it: step NAME COMMAND...
step() {
  name=$1
  shift
  log=$logs/$(echo "$name" | tr -c 'a-zA-Z0-9\n' '-').log
  begun=$(date +%s)
  times >"$log.begun"
  if "$@" >"$log" 2>&1; then result=ok; else result=FAILED; fi
  times >"$log.ended"
  printf '%-6s %4ds %4ds  %s%s\n' "$result" $(($(date +%s) - begun)) "$(processor_seconds "$log")" "$name" "$(last_line "$log")"
  if [ "$result" = FAILED ]; then
    echo "  $name ($log)" >>"$failed"
    tail -n 60 "$log" | sed 's/^/    /'
    return 1
  fi
}

# Of what a step ran, from what `times` said of the shell and its children before and after: processor_seconds LOG
processor_seconds() {
  cat "$1.begun" "$1.ended" | tr 'ms' '  ' | awk '{ seconds = 60 * ($1 + $3) + $2 + $4; sum += NR > 2 ? seconds : -seconds } END { printf "%d", sum }'
  rm "$1.begun" "$1.ended"
}

# The last line of a step's output, if it is a short line of counts.
last_line() {
  tail -n 1 "$1" | grep -E '^[^/]*[0-9]+ .*(hold|compared|passed|clean)' | sed 's/^/: /' | cut -c1-100
}

skip() { printf 'skip                %s: %s\n' "$1" "$2"; }

# Other versions of the tools give other warnings and format code differently, which is not a fault of the code.
is_version() { "$1" --version | head -n 1 | grep -q " $2\."; }
warning_flags() {
  if [ "$1" = test ]; then is_version g++ 12; else is_version clang++ 14; fi && echo -Werror
}

# build PRESET OPTIONS...
build() {
  preset=$1
  flags=$(warning_flags "$preset")
  shift
  # shellcheck disable=SC2046  # one word per option
  cmake --preset "$preset" -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" $(launcher_options) $(linker_options) "$@" &&
    cmake --build --preset "$preset" --parallel "$job_count"
}

# Unit tests take longer to compile than what they test, so only one build has those of these folders: those that compute most are without
# sanitizers. Both have the runtime's, since it is what other programs compile, and those of any other folder. With --all both have all.
only_optimised="logic;lint;explore;compiled;mutants"
only_sanitized="rules;text;cpp;ir;dialects;project;system;codegen;replay;report;rewrite;editor;script;live;debug"
omitting() { echo "-DESPALIER_OMITTED_UNIT_TESTS=$([ -n "$all" ] || echo "$1")"; }

# unit_tests BUILD_FOLDER OPTIONS...
unit_tests() {
  build_folder=$1
  shift
  ctest --test-dir "$build_folder" --output-on-failure -j "$job_count" "$@"
}

our_sources() { git ls-files "$@" 2>/dev/null || find "$@" -type f; }
# C++ in golden cases is what the program reads.
check_format() {
  our_sources lib cli tests samples | grep -E '\.(cpp|hpp|h|c)$' | grep -v '^tests/golden/' | xargs -P "$job_count" -n 50 clang-format --dry-run -Werror
}

# Libraries and the program are compiled as a few files that include the others: each header is then read only a few times.
tidy() {
  ls -S "$sanitize"/CMakeFiles/*.dir/Unity/*.cxx |
    xargs -P "$job_count" -n 1 clang-tidy -p "$sanitize" --quiet --checks=-bugprone-suspicious-include 2>/dev/null
}

# Such a build hides a missing include. This one is only configured.
includes() {
  if [ -z "$all" ]; then python3 tests/sources/includes.py; return; fi
  cmake --preset release -B build/plain -DESPALIER_UNITY=OFF -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ && python3 tests/sources/includes.py build/plain
}

samples() {
  PATH=$1:$PATH
  for sample in guard archetypes squad modular dragengine deciders synchronized btcpp nav2; do
    espalier lint --fail-on note "samples/$sample" && espalier replay -q "samples/$sample" --trace "samples/$sample"/*.trace.jsonl ||
      return 1
  done
  espalier lint --fail-on note samples/robot/now && espalier replay -q samples/robot/now --trace samples/robot/*.trace.jsonl || return 1
  for tutorial in samples/tutorials/*/after; do
    espalier lint --fail-on warning "$tutorial" && espalier replay -q "$tutorial" --trace "$tutorial" || return 1
  done
  espalier cover samples/guard --fail-under 100 --trace samples/guard/covering/*.trace.jsonl &&
    espalier replay -q samples/guard --trace samples/guard/covering/*.trace.jsonl
}

editors() {
  if [ -z "$all" ]; then skip "editors" "only with --all"; return; fi
  step "random edits in an editor" python3 tests/editors/random_edits.py "$1/espalier" 300 1
  if ! need_packages editors >"$logs/editors-packages.log" 2>&1; then skip "editors" "needs neovim, emacs with eglot, node and npm ($logs/editors-packages.log)"
  else step "editors" python3 tests/editors/editors.py "$1/espalier"
  fi
}

pages() {
  if [ -z "$all" ]; then skip "pages in a browser" "only with --all"
  elif ! need_packages browser >"$logs/browser-packages.log" 2>&1; then skip "pages in a browser" "needs chromium, node and npm ($logs/browser-packages.log)"
  else
    step "pages in a browser" python3 tests/pages/pictures.py "$1/espalier"
    step "pages of covers and differences" python3 tests/pages/versions.py "$1/espalier"
    step "the page of a robot" python3 tests/pages/live.py "$1/espalier"
    step "the site in a browser" python3 tests/pages/site.py "$1/espalier"
  fi
}

shared_library() {
  cmake --build "$1" --target espalier_shared && python3 tests/assets/shared_library.py "$1/espalier" "$1"/libespalier.so
}

# From the sources; with --all as it is installed.
python_package() {
  if ! need_packages python >"$logs/python-packages.log" 2>&1; then skip "Python" "needs pytest, venv and mypy ($logs/python-packages.log)"
  else step "Python" python3 tests/package/python_package.py "$1/espalier" "$1/libespalier.so" $all
  fi
}

# Build servers, hooks and the image.
services() {
  if [ -z "$all" ]; then skip "build servers" "only with --all"
  elif ! need_packages services >"$logs/services-packages.log" 2>&1; then skip "build servers" "needs pre-commit, yaml and busybox ($logs/services-packages.log)"
  else step "build servers" /usr/bin/python3 tests/package/ci.py "$1/espalier" "$1/libespalier.so"
  fi
}

# A workspace of ROS 2, with the build tools that Debian has.
ros() {
  if [ -z "$all" ]; then skip "ROS 2" "only with --all"
  elif ! need_packages ros >"$logs/ros-packages.log" 2>&1; then skip "ROS 2" "needs ament-cmake and colcon ($logs/ros-packages.log)"
  else step "ROS 2" python3 tests/package/ros.py "$1/espalier"
  fi
}

# A release, of this build instead of its own.
release() {
  if [ -z "$all" ]; then skip "a release" "only with --all"
  else step "a release" python3 tests/package/release.py "$1/espalier" "$1/libespalier.so"
  fi
}

# What is distributed, in a fresh root: only where another system can be installed beside this one.
packages() {
  if [ -z "$all" ]; then skip "packages" "only with --all"
  elif [ "$(id -u)" != 0 ]; then skip "packages" "needs root"
  elif ! need_packages packaging >"$logs/packaging.log" 2>&1; then skip "packages" "needs lintian and debootstrap ($logs/packaging.log)"
  else step "packages" sh tests/package/packages.sh build/packages
  fi
}

# For Node and browsers.
wasm() {
  if [ -z "$all" ]; then skip "WebAssembly" "only with --all"
  elif ! need_packages wasm >"$logs/wasm-packages.log" 2>&1; then skip "WebAssembly" "needs emscripten, node and npm ($logs/wasm-packages.log)"
  else step "WebAssembly" sh tests/package/wasm.sh "$1" build/wasm-tests
  fi
}

# For Windows, by MinGW-w64, under Wine.
windows() {
  if [ -z "$all" ]; then skip "Windows" "only with --all"
  elif ! need_packages windows >"$logs/windows-packages.log" 2>&1; then skip "Windows" "needs MinGW-w64 and Wine ($logs/windows-packages.log)"
  else step "Windows" sh tests/package/windows.sh "$1" build/windows-tests
  fi
}

mac_like() {
  if [ -z "$all" ]; then skip "libc++ and plain POSIX" "only with --all"
  elif ! need_packages libcxx >"$logs/libcxx-packages.log" 2>&1; then skip "libc++ and plain POSIX" "needs clang 16 and libc++ ($logs/libcxx-packages.log)"
  else step "libc++ and plain POSIX" sh tests/package/libcxx.sh build/libcxx-tests
  fi
}

# The runtime on other processors, and on a microcontroller; the whole program on 64-bit ARM.
processors() {
  if [ -z "$all" ]; then skip "other processors" "only with --all"; return; fi
  if ! need_packages processors >"$logs/processors-packages.log" 2>&1; then skip "other processors" "needs Debian's cross compilers and qemu ($logs/processors-packages.log)"
  else step "other processors" python3 tests/package/processors.py "$1/espalier" "$1/tests" armv7 riscv64 s390x
  fi
  if ! need_packages microcontroller >"$logs/microcontroller-packages.log" 2>&1; then skip "a microcontroller" "needs gcc-arm-none-eabi and qemu ($logs/microcontroller-packages.log)"
  else step "a microcontroller" python3 tests/package/microcontroller.py "$1/espalier"
  fi
  if ! need_packages aarch64 >"$logs/aarch64-packages.log" 2>&1; then skip "64-bit ARM" "needs g++-aarch64-linux-gnu and qemu ($logs/aarch64-packages.log)"
  else step "64-bit ARM" sh tests/package/aarch64.sh "$1" build/aarch64-tests
  fi
}

bazel_sample() {
  if [ -z "$all" ]; then skip "Bazel" "only with --all"
  elif ! need_packages bazel >"$logs/bazel-packages.log" 2>&1; then skip "Bazel" "needs bazel ($logs/bazel-packages.log)"
  else step "Bazel" sh tests/package/bazel.sh "$1" build/bazel
  fi
}

# Cases of the dialects that this version knows: conformance ESPALIER SUFFIX OPTION, of our own folder and of the one with more.
conformance() {
  for dialect in tests/conformance/*/; do
    dialect=$(basename "$dialect")
    step "conformance, $dialect$2" python3 tests/conformance.py "$1" "tests/conformance/$dialect" $3
    [ -d "$extra_cases/$dialect" ] || continue
    step "more conformance, $dialect$2" python3 tests/conformance.py "$1" "$extra_cases/$dialect" "--without=tests/conformance/$dialect" $3
  done
}

optimised() {
  step "build (g++)" build test -DESPALIER_BENCH=ON "$(omitting "$only_sanitized")" || return
  step "what libraries are linked with" python3 tests/sources/linked.py "$release"
  # What is hostile is tried with sanitizers.
  step "unit tests" unit_tests "$release" -E "bench$([ -n "$all" ] || echo '|hostile')"
  [ -z "$all" ] || step "all slips" env ESPALIER_SLIPS=all "$release/tests/unit_project" "[slips]"
  [ -z "$all" ] || step "many slips" env ESPALIER_SLIPS=20000 "$release/tests/unit_rewrite" "[slips]"
  [ -z "$all" ] || step "many edits" env ESPALIER_EDITS=300 "$release/tests/unit_project" "[edits]"
  step "benchmarks, briefly" unit_tests "$release" -R bench
  step "samples" samples "$release"
  step "golden cases" python3 tests/golden.py "$release/espalier"
  conformance "$release/espalier" "" ""
  step "README" python3 tests/documents/readme.py "$release/espalier"
  step "the site of the manuals" python3 tests/documents/site.py "$release/espalier"
  step "reports" python3 tests/reports/reports.py "$release/espalier" $all
  step "changed trees" python3 tests/trees/mutants.py "$release/espalier" $all
  step "reports of all runs" python3 tests/reports/explored.py "$release/espalier"
  step "reports of faulty trees" python3 tests/reports/faulty_reports.py "$release/espalier"
  step "what goes wrong in runs" python3 tests/reports/run_faults.py "$release/espalier"
  step "trees that poll, against a model" python3 tests/polling/polling.py "$release/espalier"
  step "layout of samples" "$release/espalier" fmt --check samples
  step "rewriting" python3 tests/trees/rewriting.py "$release/espalier" $all
  step "covering traces" python3 tests/trees/covering.py "$release/espalier" $all
  step "proofs" python3 tests/trees/proving.py "$release/espalier" --trees "$([ -n "$all" ] && echo 60 || echo 8)"
  step "shards" python3 tests/reports/shards.py "$release/espalier"
  step "completions and man page" python3 tests/commands/completions.py "$release/espalier"
  step "language server" python3 tests/editors/language_server.py "$release/espalier"
  step "debugger" python3 tests/editors/debugger.py "$release/espalier"
  editors "$release"
  step "terminal" python3 tests/commands/terminal.py "$release/espalier"
  step "default budgets" python3 tests/bench/budgets.py "$release/espalier"
  step "interrupts" python3 tests/commands/interruption.py "$release/espalier"
  step "watching" python3 tests/commands/watch.py "$release/espalier"
  step "watching, by plain POSIX" python3 tests/commands/watch.py "$release/tests/plain/espalier"
  step "caches, by plain POSIX" python3 tests/golden.py "$release/tests/plain/espalier" tests/golden/cli/findings-of-an-unchanged-project-come-from-the-cache
  step "logs of robots" python3 tests/logs/truth.py "$release/espalier"
  [ -z "$all" ] || step "long logs" python3 tests/bench/long_log.py "$release/espalier"
  step "recordings of robots" python3 tests/logs/recorded.py "$release/espalier"
  step "attached programs" python3 tests/logs/attach.py "$release/espalier"
  step "served agents" python3 tests/logs/serve.py "$release/espalier" "$release/tests"
  step "options of all verbs" python3 tests/commands/verbs.py "$release/espalier"
  step "assets" python3 tests/assets/asset_test.py "$release/espalier"
  step "recordings" python3 tests/recording/recordings.py "$release/espalier" "$release/tests/recorded_runs" $all
  step "assets of releases" python3 tests/assets/releases.py "$release/espalier"
  step "output files" python3 tests/commands/output_files.py "$release/espalier"
  step "escapes in outputs" python3 tests/commands/output_escapes.py "$release/espalier"
  step "growth" python3 tests/growth/growth.py "$release/espalier" $all
  step "memory" python3 tests/growth/growth.py "$release/espalier" --memory $all
  step "small stacks" python3 tests/growth/deep.py "$release/espalier" $all
  pages "$release"
  step "shared library" shared_library "$release"
  python_package "$release"
  services "$release"
  ros "$release"
  release "$release"
  step "sizes" python3 tests/assets/sizes.py
  step "stripped assets" python3 tests/assets/stripped.py "$release/espalier" tests/conformance tests/golden/replay samples
  step "installed package" sh tests/package/package.sh "$release" build/package
  packages
  bazel_sample "$release/espalier"
  wasm "$release/espalier"
  windows "$release/espalier"
  mac_like
  processors "$release"
  step "XSDs" python3 tests/trees/xsd.py "$release/espalier"
  if [ -z "$all" ]; then skip "examples for contributors" "only with --all"
  else step "examples for contributors" env CXXFLAGS="$(warning_flags test)" python3 tests/documents/contributing.py . build/contributing
  fi
}

# One build for sanitizers and fuzzers, so that everything is compiled twice and not three times.
sanitized() {
  # A report shows two frames of an allocation, and memory is used again after 32 MB: processes take a third less time. Undefined behaviour
  # is an illegal instruction, whose place is shown.
  export ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=32:handle_sigill=1
  step "build (clang, sanitizers, fuzzers)" build sanitize -DESPALIER_FUZZ=ON "$(omitting "$only_optimised")" || return
  # That the program sets no locale has a test; in one, only what reads and prints most numbers is tried.
  step "unit tests, sanitized" unit_tests "$sanitize" -E 'fuzz|(dialects|project)_in_a_locale'
  step "fuzzers, briefly" unit_tests "$sanitize" -R fuzz
  step "samples, sanitized" samples "$sanitize"
  step "debugger, sanitized" python3 tests/editors/debugger.py "$sanitize/espalier"
  step "recordings, sanitized" python3 tests/recording/recordings.py "$sanitize/espalier" "$sanitize/tests/recorded_runs" --few
  # To look for leaks takes half of a short run. Without --all only what is above does, with the examples of all rules in a unit test.
  [ -n "$all" ] || export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
  # Nor are golden cases more than a sample, most of which look at the same code, and assets are opened by what is above.
  step "golden cases, sanitized" python3 tests/golden.py "$sanitize/espalier" tests/golden "--every=$([ -n "$all" ] && echo 1 || echo 3)"
  conformance "$sanitize/espalier" ", sanitized" "$([ -n "$all" ] && echo --once || echo --xml)"
  if [ -z "$all" ]; then skip "clang-tidy" "only with --all"; elif is_version clang++ 14; then step "clang-tidy" tidy; else skip "clang-tidy" "needs clang-tidy 14"; fi
}

begun_all=$(date +%s)
step "packages" need_packages build test || exit 1
step "packages for sanitizers" need_packages sanitizers || exit 1

step "layers" python3 tests/sources/layers.py
step "what a new opcode or rule compiles" python3 tests/sources/rebuilt.py
step "scripts of pages" python3 tests/sources/scripts.py
step "contrast of colours" python3 tests/sources/contrast.py
step "names of packages" sh tests/package/names.sh
step "documents" python3 tests/documents/documents.py
step "what other compilers read" python3 tests/sources/portable.py
step "the table of opcodes" python3 tests/assets/opcode_table.py
step "examples for contributors apply" python3 tests/documents/contributing.py .
if is_version clang-format 14; then step "formatting" check_format; else skip "formatting" "needs clang-format 14"; fi
[ -d "$extra_cases" ] || skip "more conformance" "no folder $extra_cases"
# Side by side, as each leaves processors idle at times.
sanitized &
step "includes" includes
optimised
wait

echo "$(($(date +%s) - begun_all)) seconds"
[ ! -s "$failed" ] || { echo "FAILED:"; cat "$failed"; exit 1; }
echo "All tests passed."
