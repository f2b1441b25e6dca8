# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The parts of a virtual machine, for `boot` and `cut`: Debian's kernel and BusyBox, Belfry's
# programs and their libraries. The scripts that read this file set the variable `cache`, a folder
# that keeps the needed parts of Debian packages, so that each package is downloaded once. No package
# is installed.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

# cannot WORDS...: prints why the machine is not available here, and ends with status 77.
cannot() {
  echo "${0##*/}: $*" >&2
  exit 77
}

# need FILE PACKAGE: checks that a file of a Debian package is here.
need() { [ -e "$1" ] || cannot "$1 is missing here; install the package $2"; }

[ "$(uname -m)" = x86_64 ] || cannot "what is built here does not run on x86-64"
for command in apt-get dbus-daemon dpkg-deb qemu-system-x86_64; do
  command -v "$command" >/dev/null || cannot "$command is missing here; see desktop/packaging/packages"
done

# unpack PACKAGE PATTERN...: puts the files of a Debian package whose paths match a PATTERN into the
# cache.
unpack() {
  local package=$1
  shift
  [ ! -d "$cache/$package" ] || return 0
  # apt normally downloads as a user who may not write into this folder, so let it download as root.
  (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root "$package") >&2 ||
    cannot "the package $package cannot be downloaded"
  mkdir "$work/$package"
  dpkg-deb --fsys-tarfile "$work/$package"_*.deb |
    tar --extract --directory="$work/$package" --wildcards "$@"
  mv "$work/$package" "$cache/"
}

# unpack_kernel PACKAGE PATTERN...: the same for the newest kernel, on which the empty package
# PACKAGE depends. Sets `kernel` to the name of the kernel's package.
unpack_kernel() {
  kernel=$(apt-cache depends "$1" 2>/dev/null | sed -n 's/.*Depends: //p')
  [ -n "$kernel" ] || cannot "no package $1 is known here"
  shift
  unpack "$kernel" './boot/vmlinuz-*' "$@"
}

# install_system INIT PRODUCT...: fills `root` with BusyBox, the kernel's modules, Belfry's programs
# and the script INIT as process 1.
install_system() {
  mkdir -p "$root"/{bin,dev,etc,modules,proc,root,run,sys,tmp}
  cp "$1" "$root/init"
  shift
  # Newer versions of the package have busybox in /usr/bin.
  unpack busybox-static '*/bin/busybox'
  cp "$(find "$cache/busybox-static" -name busybox)" "$@" "$root/bin/"
  find "$cache/$kernel" -name '*.ko*' -exec cp --target-directory="$root/modules" {} +
  find "$root/modules" -name '*.xz' -exec "$root/bin/busybox" unxz {} +
  echo 'root:x:0:0::/root:/bin/sh' >"$root/etc/passwd"
  install_libraries "$@"
}

# install_programs PROGRAM...: puts programs of this machine and their libraries into `root`.
install_programs() {
  cp --parents --dereference --target-directory="$root" "$@"
  install_libraries "$@"
}

install_libraries() {
  ldd "$@" | grep -o '/[^ :]*\.so[^ :]*' | sort -u |
    xargs cp --parents --dereference --target-directory="$root"
}

# make_initramfs: packs `root` into "$work/initramfs". The archive is not compressed, because
# decompressing is slow under emulation.
make_initramfs() {
  (cd "$root" && find . | bin/busybox cpio -o -H newc 2>/dev/null) >"$work/initramfs"
}
