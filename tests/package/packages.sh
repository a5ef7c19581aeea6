#!/bin/sh
# The packages that are distributed work where nothing else is installed: packages.sh WORK_FOLDER, as root
# The .deb passes lintian, and is installed in a fresh root with all that apt installs for it. The tarball's program runs in a
# root that has no other file. In both, the commands of README and of all manuals write what the pages say.
set -eu
mkdir -p "$1"
work=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
. samples/packages.sh
rm -rf "${work:?}"/*

# package PRESET SUFFIX: makes a package and names its file.
package() {
  # shellcheck disable=SC2046  # one word an option
  { cmake --preset "$1" -DESPALIER_UNITY=ON $(launcher_options) && rm -f "build/$1"/*"$2" &&
    cmake --build --preset "$1" --target package; } >"$work/$1.log" 2>&1 || { cat "$work/$1.log" >&2; exit 1; }
  ls "$PWD/build/$1"/*"$2"
}

# manuals ROOT PROGRAM: runs what the manuals say, with a program that sees only the files below ROOT.
manuals() {
  mkdir -p "$1/tmp" "$work/bin"
  cat >"$work/bin/espalier" <<END
#!/bin/sh
exec unshare --root "$1" --wd "\${PWD#$1}" "$2" "\$@"
END
  chmod +x "$work/bin/espalier"
  TMPDIR=$1/tmp python3 tests/documents/readme.py "$work/bin/espalier" --alone
}

deb=$(package release .deb)
echo "${deb##*/}: $(stat -c %s "$deb") bytes"
lintian --fail-on error "$deb"

root=$work/root
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
debootstrap --variant=minbase "$suite" "$root" >"$work/debootstrap.log" 2>&1 || { cat "$work/debootstrap.log"; exit 1; }
cp "$deb" "$root/espalier.deb"
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install /espalier.deb >"$work/apt.log" 2>&1 ||
  { cat "$work/apt.log"; exit 1; }
for file in bin/espalier include/espalier/espalier.h lib/libespalier_runtime.a lib/pkgconfig/espalier.pc \
  share/doc/espalier/copyright share/man/man1/espalier.1.gz share/bash-completion/completions/espalier; do
  [ -s "$root/usr/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done
python3 tests/documents/readme.py --links "$root/usr/share/doc/espalier"
manuals "$root" /usr/bin/espalier
chroot "$root" dpkg --purge espalier >"$work/purge.log"
left=$(find "$root/usr" -name '*espalier*')
[ -z "$left" ] || { echo "not removed: $left" >&2; exit 1; }

tarball=$(package static .tar.gz)
echo "${tarball##*/}: $(stat -c %s "$tarball") bytes"
mkdir "$work/static" "$work/empty"
tar -xf "$tarball" -C "$work/static" --strip-components=1
cp "$work/static/bin/espalier" "$work/empty"
manuals "$work/empty" /espalier
