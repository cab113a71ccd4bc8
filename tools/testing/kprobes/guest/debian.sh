# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Unpacks packages of Debian into a folder; for scripts to source.

# debian_arch ARCH: Debian's name of an architecture
debian_arch() {
	case $1 in
	x86_64)	echo amd64 ;;
	arm64)	echo arm64 ;;
	*)	echo "${0##*/}: no Debian for ARCH=$1" >&2; return 1 ;;
	esac
}

# debian_extract SUITE DIR OPTION...: the packages that mmdebstrap's options choose.  What
# it says goes to DIR.log.  apt looks for `test` in PATH, and must not find the lab's.
debian_extract() {
	local suite=$1 dir=$2
	shift 2
	PATH=/usr/sbin:/usr/bin:/sbin:/bin mmdebstrap --variant=extract "$@" \
		--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
		"$suite" "$dir" >"$dir.log" 2>&1 || {
			tail -n 20 "$dir.log" >&2
			return 1
		}
}
