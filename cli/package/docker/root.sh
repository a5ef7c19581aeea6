#!/bin/sh
# The files of the image: root.sh FOLDER TARBALL
# The static program, a shell with the usual commands (busybox-static), and git with what it needs, for `espalier diff --git`.
set -eu
root=$1
tarball=$2
rm -rf "$root"
mkdir -p "$root/bin" "$root/usr/bin" "$root/usr/lib" "$root/etc" "$root/dev" "$root/tmp" "$root/work" "$root/root"
chmod 1777 "$root/tmp" "$root/work"

tar -xzf "$tarball" -C "$root/usr" --strip-components=1 --wildcards '*/bin/espalier'
cp "$(command -v busybox)" "$root/bin/busybox"
for command in $("$root/bin/busybox" --list); do
  [ "$command" = busybox ] || ln -s busybox "$root/bin/$command"
done
cp "$(command -v git)" "$root/usr/bin/git"

# What programs need that are not static, where they look for it.
for program in "$root/usr/bin/git" "$root/usr/bin/espalier"; do
  for library in $(ldd "$program" 2>/dev/null | grep -o '/[^ ]*'); do
    mkdir -p "$root${library%/*}"
    cp -L "$library" "$root$library"
  done
done

echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
# A checkout is mounted here, and belongs to anyone.
printf '[safe]\n\tdirectory = *\n' >"$root/etc/gitconfig"
find "$root" -exec touch -h -d "@${SOURCE_DATE_EPOCH:-315532800}" {} +
