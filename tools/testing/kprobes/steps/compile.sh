# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# How checks compile some of the kernel's objects in many configurations, for scripts to
# source after kbuild.sh.  They set $src, $out and $log; nothing is linked.

count=0

# The folders and objects of ours that the configuration in place has
targets() {
	case $ARCH in
	x86_64)	echo arch/x86/kernel/kprobes/ ;;
	arm64)	echo arch/arm64/kernel/probes/ ;;
	esac
	echo kernel/kprobes/ kernel/trace/kprobe/
	! grep -q '^CONFIG_KPROBE_EVENTS=y' "$out/.config" || echo kernel/trace/trace_kprobe.o
}

# compile TARGET...: in the configuration that is in place, nothing being there yet
compile() {
	local each
	kbuild -s -j"$(nproc)" prepare scripts
	for each in kernel/trace/trace_kprobe.o "$@"; do
		[ ! -e "$out/$each" ] || find "$out/$each" -name '*.o' -delete
	done
	kbuild -s -k -j"$(nproc)" "$@"
}

# findings NAME: the warnings and errors of a log on stdin
findings() {
	sed -nE -e "s#^(.*src/series/)?([^ :]+):([0-9]+):([0-9]+:)? (fatal )?(warning|error): (.*)#\2:\3: \7 ($1)#p" \
		-e "s#^(.*/)?([^ :]*[^ :/]+\.o): (warning: objtool: .*)#\1\2:0: \3 ($1)#p"
}

# judge NAME TARGET...: compile and print what is found; where a build failed without a
# warning or an error that is understood, its last line
judge() {
	local name=$1 status=0
	shift
	compile "$@" >"$log" 2>&1 || status=$?
	findings "$name" <"$log" | sort -u >"$out/found"
	if [ $status != 0 ] && [ ! -s "$out/found" ]; then
		echo "${0##*/}:0: $(tail -n 1 "$log") ($name)" >"$out/found"
	fi
	cat "$out/found"
}

# tell TEXT: show the findings of a configuration, and count them
tell() {
	[ -z "$1" ] || { echo "$1"; count=$((count + $(wc -l <<<"$1"))); }
}

# conclude NAME: the last line
conclude() {
	[ $count = 0 ] && echo "ok $1: 0" || { echo "not ok $1: $count"; exit 1; }
}
