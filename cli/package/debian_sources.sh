# Sources of Debian's packages, to build libraries for other machines: of the version that is installed here, so that all builds of the
# program are made of the same. Sourced, with `folder` set: it gets what apt needs, and the sources below `sources`.
# shellcheck shell=sh
: "${folder:?}"
mkdir -p "$folder/sources" "$folder/apt/lists/partial" "$folder/apt/parts" "$folder/include" "$folder/lib"

# The lists of sources from where packages come: own ones, so that the system's stay as they are.
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb /deb-src /p' >"$folder/apt/sources.list"
for file in /etc/apt/sources.list.d/*.sources; do
  [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$folder/apt/parts/${file##*/}"
done
apt() {
  apt-get -qq -o Dir::Etc::SourceList="$folder/apt/sources.list" -o Dir::Etc::SourceParts="$folder/apt/parts" \
    -o Dir::State::Lists="$folder/apt/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root "$@"
}

# sources PACKAGE DEVELOPMENT_PACKAGE: the sources of which the installed one was made, or, where an update of Debian's is not kept, those
# before it
sources() {
  version=$(dpkg-query -W -f '${source:Version}' "$2")
  (cd "$folder/sources" && rm -rf "$1"-*/ && { apt source "$1=$version" || apt source "$1=${version%+deb*}"; } >/dev/null)
}

# Headers alone are those that are installed.
installed_headers() {
  for header in CLI nlohmann dtl xxhash.h; do cp -RL "/usr/include/$header" "$folder/include"; done
  mkdir -p "$folder/share/cmake"
  cp -RL /usr/share/cmake/CLI11 /usr/share/cmake/nlohmann_json "$folder/share/cmake"
}
