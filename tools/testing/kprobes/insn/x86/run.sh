#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the programs that the Makefile builds: run.sh OUT [VMLINUX]
# Each prints its table, if it has one, and ends with an ok or a not ok line.
out=$1
vmlinux=$2
failed=0

run()
{
	"$@" || failed=1
}

# Prints the last line and the differences only, without the table.
run_quiet()
{
	"$@" > "$out/log" || failed=1
	grep '^#\|^ok\|^not ok' "$out/log"
}

run "$out/model"
run "$out/model.san"
run "$out/fuzz.san"
run "$out/differ"
run_quiet "$out/differ.san"
run_quiet "$out/oracle.san" --raw 16 "$out/encodings.bin"
if [ -n "$vmlinux" ]; then
	run "$out/oracle" --expect refused.expect "$vmlinux"
else
	echo "skip oracle # no kernel image: make check VMLINUX=path"
fi
if [ "$failed" = 0 ]; then
	echo "ok insn: all"
else
	echo "not ok insn: some failed"
fi
exit "$failed"
