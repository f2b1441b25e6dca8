# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes bare systems of Debian for Tests/source, Tests/debian, Tests/recipes and Tests/arm64, which
# source this file. Each of these scripts needs root, mmdebstrap and Debian's archive, and is run as
#
#   [SUITES=...] [MIRROR=...] Tests/NAME [RELEASE [FOLDER]]
#
# RELEASE is a folder that desktop/packaging/release made (.build/released, where Tests/release puts
# one). FOLDER (.build/debian) keeps the bare systems and the downloaded packages for the next run.
# SUITES are the versions of Debian to use instead of those that the script names.
set -Eeuo pipefail
name=Tests/${0##*/}
release=$(realpath -m "${1:-.build/released}")
folder=$(realpath -m "${2:-.build/debian}")
mirror=${MIRROR:-http://deb.debian.org/debian}

fail() {
  echo "$name: $1" >&2
  [ ! -s "${log:-}" ] || tail -n 30 "$log" >&2
  exit 1
}

trap 'fail "line $LINENO: $BASH_COMMAND"' ERR
[ "$(id -u)" = 0 ] || fail "needs root"
command -v mmdebstrap >/dev/null || fail "mmdebstrap is missing: apt install mmdebstrap"
[ -f "$(echo "$release"/belfry_*.deb)" ] || fail "no release in $release: Tests/release makes one"
archive=$(ls "$release"/belfry-*.tar.zst | grep -v -- "-$(uname -m).tar.zst")

step() { echo "== $suite: $* ($((SECONDS / 60)) min)"; }

# in_each SUITE...: runs the script once for each suite. Each run has its own mounts and processes,
# which end with it.
in_each() {
  if [ -n "${SUITE:-}" ]; then return; fi
  mkdir -p "$folder"
  for SUITE in ${SUITES:-$*}; do
    SUITE=$SUITE unshare --mount --pid --ipc --fork --kill-child --mount-proc \
      "$PWD/$name" "$release" "$folder"
  done
  echo "All is well."
  exit
}

# bare SUITE: prints the archive of a bare system, and makes it if there is none.
bare() {
  local file=$folder/$1.tar
  if [ ! -e "$file" ]; then
    # A mirror of unstable may be out of date.
    mmdebstrap --format=tar --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
      "$1" "$file.new" "$mirror" >>"$log" 2>&1 || fail "no system"
    mv "$file.new" "$file"
  fi
  echo "$file"
}

# Unpacks the bare system of `suite` into the folder `tree`. The folder is in memory, so nothing of
# it is left afterwards.
make_system() {
  suite=$SUITE log=$folder/$SUITE-${name##*/}.log
  : >"$log"
  tree=$(mktemp -d)
  trap 'umount --recursive --lazy "$tree" && rmdir "$tree"' EXIT
  mkdir -p "$folder/$suite"
  mount -t tmpfs -o mode=755,size=16G tmpfs "$tree"
  tar --extract --file="$(bare "$suite")" --directory="$tree"
  mount -t proc proc "$tree/proc"
  mount --bind "$folder/$suite" "$tree/var/cache/apt/archives"
  cat /etc/resolv.conf >"$tree/etc/resolv.conf"
  apt update
}

# inside COMMAND...: runs a command in the system, as its root.
toolchain=
inside() {
  chroot "$tree" env -i LANG=C.UTF-8 HOME=/root \
    PATH="/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin${toolchain:+:$toolchain/bin}" "$@"
}

apt() {
  inside env DEBIAN_FRONTEND=noninteractive apt-get -qq --yes -o Dpkg::Use-Pty=0 \
    --no-install-recommends "$@" >>"$log" 2>&1 || fail "apt-get $*"
}

# Unpacks the source archive into /source.
give_source() {
  mount --rbind /dev "$tree/dev"
  mkdir "$tree/source"
  tar --extract --zstd --file="$archive" --directory="$tree/source" --no-same-owner
}

# in_source COMMAND: runs a shell command in the unpacked source, without a network.
in_source() {
  inside unshare --net sh -ec "cd /source/belfry-* && $1" >>"$log" 2>&1 || fail "$1"
}
