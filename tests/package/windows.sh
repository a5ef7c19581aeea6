#!/bin/sh
# What there is for Windows: windows.sh NATIVE_ESPALIER WORK_FOLDER
# Builds the runtime as a DLL and lib/system by MinGW-w64, packs the zip, and runs under Wine a C program with the DLL and the unit tests of
# lib/system.
set -eu
native=$1
mkdir -p "$2"
work=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."
. samples/packages.sh

quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

quietly sh cli/package/windows/libraries.sh build/windows-libraries
# shellcheck disable=SC2046  # one word an option
quietly cmake --preset windows $(launcher_options)
quietly cmake --build --preset windows --target espalier_shared unit_system
quietly sh cli/package/windows/zip.sh build/windows "$work"

# Nothing is shown, and one server lasts for all programs, as it takes longer to start than they.
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe="
unset DISPLAY
wine64=/usr/lib/wine/wine64
[ -d "$WINEPREFIX" ] || quietly "$wine64" wineboot --init
# But for links, permissions, shells, and what Wine cannot do.
"$wine64" build/windows/tests/unit_system.exe "~[posix]"
python3 tests/package/windows_runtime.py "$work/espalier-runtime" "$native"
