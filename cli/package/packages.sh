# How packages are made, for this machine and for others; sourced from the root of the sources, after samples/packages.sh:
#   cross_libraries MACHINE    compiles the libraries of a machine's presets
#   package PRESET OPTION...   makes the package of a preset, in its build folder; with options of CMake for tests, which can be faster to compile
#   windows_zip OPTION...      makes the zip for Windows in build/windows/zip, with options of CMake for tests
# shellcheck shell=sh

cross_libraries() { sh cli/package/cross/libraries.sh "$1-linux-gnu" "build/$1-libraries"; }

# Programs do not say where they were built. The compiler's cache takes the files of a build folder for those of another one, so that the
# second package of a machine is made of the objects of the first.
package() {
  preset=$1 flags="-ffile-prefix-map=$PWD=."
  shift
  # shellcheck disable=SC2046  # one word an option
  cmake --preset "$preset" -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DESPALIER_TOOL_OPTIONS= -DESPALIER_TESTS=OFF $(launcher_options) "$@" &&
    find "build/$preset" -maxdepth 1 \( -name 'espalier_*.deb' -o -name 'espalier-*.tar.gz' \) -delete &&
    CCACHE_BASEDIR=$PWD cmake --build --preset "$preset" --parallel "$(nproc 2>/dev/null || echo 2)" --target package
}

windows_zip() {
  # shellcheck disable=SC2046
  sh cli/package/windows/libraries.sh build/windows-libraries &&
    cmake --preset windows -DESPALIER_TOOL_OPTIONS= -DESPALIER_TESTS=OFF $(launcher_options) "$@" &&
    CCACHE_BASEDIR=$PWD cmake --build --preset windows --parallel "$(nproc 2>/dev/null || echo 2)" \
      --target espalier espalier_written espalier_runtime espalier_shared &&
    sh cli/package/windows/zip.sh build/windows build/windows/zip
}
