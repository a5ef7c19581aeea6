#!/bin/sh
# The program for WebAssembly: wasm.sh NATIVE_ESPALIER WORK_FOLDER
# Builds it and its libraries, installs the npm package in an empty folder, opens the page for trying espalier in a browser, and runs
# all golden cases in Node and in the browser.
set -eu
native=$1
mkdir -p "$2/bin"
work=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."
. samples/packages.sh

quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

quietly sh cli/package/npm/libraries.sh build/wasm-libraries
# shellcheck disable=SC2046  # one word an option
quietly emcmake cmake --preset wasm $(launcher_options)
quietly cmake --build --preset wasm --target espalier_npm
wc -c build/wasm/npm/espalier.wasm build/wasm/npm/try.html

python3 tests/package/npm_package.py build/wasm/npm "$native"
python3 tests/package/try_page.py build/wasm/npm/try.html
cat >"$work/bin/espalier" <<END
#!/bin/sh
exec "$(command -v node)" "$PWD/build/wasm/npm/espalier-command.js" "\$@"
END
chmod +x "$work/bin/espalier"
python3 tests/package/npm_command.py "$work/bin/espalier"
python3 tests/golden.py "$work/bin/espalier" --except=tests/package/wasm_exceptions.txt --except=tests/package/node_exceptions.txt
python3 tests/package/browser_golden.py build/wasm/npm/try.html --except=tests/package/wasm_exceptions.txt --except=tests/package/browser_exceptions.txt
