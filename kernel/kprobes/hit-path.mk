# SPDX-License-Identifier: GPL-2.0-or-later
# The objects of $(hit-path) run in a hit before it is known whether handlers may run. They
# must not be probed, nor call functions that a sanitizer adds.
$(foreach o,$(hit-path),$(eval CFLAGS_REMOVE_$(o).o := $(CC_FLAGS_FTRACE)))
$(foreach o,$(hit-path),$(eval KASAN_SANITIZE_$(o).o := n))
$(foreach o,$(hit-path),$(eval KCSAN_SANITIZE_$(o).o := n))
$(foreach o,$(hit-path),$(eval KMSAN_SANITIZE_$(o).o := n))
$(foreach o,$(hit-path),$(eval KCOV_INSTRUMENT_$(o).o := n))
$(foreach o,$(hit-path),$(eval UBSAN_SANITIZE_$(o).o := n))
$(foreach o,$(hit-path),$(eval GCOV_PROFILE_$(o).o := n))
$(foreach o,$(hit-path),$(eval CFLAGS_$(o).o += -fno-stack-protector -DDISABLE_BRANCH_PROFILING))
