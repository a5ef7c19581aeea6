# How packages are made, for this machine and for others; sourced from the root of the sources, after samples/packages.sh:
#   cross_libraries MACHINE    compiles the libraries of a machine's presets
#   package PRESET             makes the package of a preset, in its build folder
# shellcheck shell=sh

cross_libraries() { sh cli/package/cross/libraries.sh "$1-linux-gnu" "build/$1-libraries"; }

# Programs do not say where they were built. The compiler's cache takes the files of a build folder for those of another one, so that the
# second package of a machine is made of the objects of the first.
package() {
  flags="-ffile-prefix-map=$PWD=."
  # shellcheck disable=SC2046  # one word an option
  cmake --preset "$1" -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" $(launcher_options) &&
    find "build/$1" -maxdepth 1 \( -name 'espalier_*.deb' -o -name 'espalier-*.tar.gz' \) -delete &&
    CCACHE_BASEDIR=$PWD cmake --build --preset "$1" --parallel "$(nproc 2>/dev/null || echo 2)" --target package
}
