#!/bin/sh
# As near to a Mac as Linux is: libcxx.sh WORK_FOLDER
# Builds the whole program and its tests by Debian's clang 16 with libc++, as Apple's compiler has it, and without what Linux alone has, and
# runs unit tests, golden and conformance cases.
set -eu
mkdir -p "$1"
work=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
. samples/packages.sh

quietly() { "$@" >"$work/log" 2>&1 || { tail -n 60 "$work/log" >&2; exit 1; }; }

quietly sh cli/package/libcxx/libraries.sh build/libcxx-libraries
# shellcheck disable=SC2046  # one word an option
quietly cmake --preset libcxx $(launcher_options)
quietly cmake --build --preset libcxx
quietly ctest --test-dir build/libcxx --output-on-failure --no-tests=error -j "$(nproc)"
grep 'tests passed' "$work/log"
python3 tests/golden.py build/libcxx/espalier
for dialect in tests/conformance/*/; do
  python3 tests/conformance.py build/libcxx/espalier "$dialect" --once
done
python3 tests/commands/watch.py build/libcxx/espalier
python3 tests/commands/output_files.py build/libcxx/espalier
