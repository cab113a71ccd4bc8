#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs the programs the Makefile has built: run.sh OUT [VMLINUX]
# Each ends in an ok or a not ok line; where it has a table that comes before.
out=$1
vmlinux=$2
failed=0

run()
{
	"$@" || failed=1
}

# The last line only, and what differed: the table has been seen, or says nothing.
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
