# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# How the lab calls the kernel's build, for scripts to source.  They set $lab
# (the lab's folder), $repo (the repository), $src and $out (the tree and the build
# folder) and $log (the build's log, if they show progress); ARCH,
# KERNEL, VARIANT and CC come from the environment.

# gcc, through ccache where that is installed
default_compiler() {
	! command -v ccache >/dev/null ||
		echo -n "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/cc "
	echo gcc
}

: "${ARCH:=x86_64}" "${KERNEL:=series}" "${VARIANT:=plain}"
: "${CC:=$(default_compiler)}"
export ARCH KERNEL VARIANT
unset MAKEFLAGS MFLAGS
# The link of a kernel with LTO needs LLVM's own linker and its other tools
case $VARIANT in
clang-lto) export LLVM=-19 ;;
esac

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# Get the sources ready; prints the folder they are in. Bash does not end a command
# substitution at a failure, so each command here says what follows one
sources() {
	"$lab/build/get" || return
	case $KERNEL in
	series)	"$lab/series/apply" || return
		echo "$repo/out/src/series" ;;
	stock)	readlink -f "${KSRC:-$repo/out/src/stock}" ;;
	esac
}

# show_progress TITLE EXPECTED: show how far the build that writes $log is, until
# end_progress or the script's end
show_progress() {
	: >"$log"
	"$lab/build/progress" "$log" "$2" "$1" >&2 &
	progress=$!
	trap end_progress EXIT
}

end_progress() {
	kill "$progress" 2>/dev/null || true
	wait "$progress" || true
	trap - EXIT
}

# The image's path below the build folder
image() {
	case $ARCH in
	x86_64)	echo arch/x86/boot/bzImage ;;
	arm64)	echo arch/arm64/boot/Image ;;
	*)	die "ARCH=$ARCH: not x86_64 or arm64" ;;
	esac
}

# The prefix of the tools that build for ARCH on this machine
cross() {
	local host
	host=$(uname -m)
	[ "${host/aarch64/arm64}" != "$ARCH" ] || return 0
	case $ARCH in
	arm64)	echo aarch64-linux-gnu- ;;
	x86_64)	echo x86_64-linux-gnu- ;;
	i386)	echo i686-linux-gnu- ;;
	powerpc) echo powerpc64le-linux-gnu- ;;
	riscv)	echo riscv64-linux-gnu- ;;
	s390)	echo s390x-linux-gnu- ;;
	esac
}

# CC for ARCH: its last word is the compiler's plain name, for VARIANT=clang and
# clang-* that of one new enough for kCFI, which Debian's own clang is not
compiler() {
	local words
	read -ra words <<<"$CC"
	case $VARIANT:${words[-1]} in
	clang:* | clang-*:*) words[-1]=clang-19 ;;
	*:gcc | *:gcc-[0-9]*) words[-1]=$(cross)${words[-1]} ;;
	esac
	echo "${words[*]}"
}

# The names of the configuration fragments, the last one winning
fragments() {
	local base
	base=$(base)

	[ "$base" = wide ] || echo common "$ARCH"
	case $KERNEL in
	series)	echo series ;;
	stock)	;;
	*)	die "KERNEL=$KERNEL: not series or stock" ;;
	esac
	case $base in
	plain | clang)	;;
	debug)	echo debug ;;
	off)	echo off nodebug ;;
	guarded) echo guarded nodebug ;;
	wide)	echo wide ;;
	*)	die "VARIANT=$VARIANT: see build/build and build/variants" ;;
	esac
	[ ! -e "$lab/build/config/$KERNEL-$base" ] || echo "$KERNEL-$base"
	[ ! -e "$lab/build/config/$ARCH-$base" ] || echo "$ARCH-$base"
}

# The variant that VARIANT differs from in the symbols of the table of variants; itself if
# it is not there
base() {
	if [ -z "$(variation)" ]; then
		echo "$VARIANT"
	elif [[ $VARIANT == wide-* ]]; then
		echo wide
	else
		echo plain
	fi
}

# The symbols of VARIANT in the table of variants; none if it is not there
variation() {
	awk -v arch="$ARCH" -v variant="$VARIANT" '
		($1 == "each" || $1 == arch) && $2 == variant {
			for (i = 3; i <= NF; i++) print $i
		}' "$lab/build/variants"
}

# fragment SYMBOL...: a configuration fragment
fragment() {
	local symbol
	for symbol; do
		case $symbol in
		*=n)	echo "# CONFIG_${symbol%=n} is not set" ;;
		*=*)	echo "CONFIG_$symbol" ;;
		*)	echo "CONFIG_$symbol=y" ;;
		esac
	done
}

# configure [FRAGMENT...]: write .config, with the given fragments on top
configure() {
	# shellcheck disable=SC2046
	fragment $(variation) >"$out/variation"
	# shellcheck disable=SC2046
	CROSS_COMPILE=$(cross) CC=$(compiler) \
		"$lab/build/configure" "$src" "$out" $(fragments) "$out/variation" "$@"
}

# kbuild ARGUMENT...: the kernel's make, for this build.  The fixed names keep
# one build like the next.
kbuild() {
	make -C "$src" O="$out" ARCH="$ARCH" CROSS_COMPILE="$(cross)" \
		CC="$(compiler)" KBUILD_BUILD_USER=lab KBUILD_BUILD_HOST=lab \
		KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 2026' "$@"
}

# A build folder serves one source tree: objects of another are thrown away
own_folder() {
	local base
	base="$src $(head -n 5 "$src/Makefile" | tail -n 4 | tr '\n' ' ')"
	mkdir -p "$out"
	if [ -e "$out/.base" ] && [ "$base" != "$(cat "$out/.base")" ]; then
		echo "${0##*/}: other sources than last time, emptying $out" >&2
		find "$out" -mindepth 1 -delete
	fi
	echo "$base" >"$out/.base"
}
