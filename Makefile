# SPDX-License-Identifier: GPL-2.0-or-later
# The commands of the lab.  The scripts in tools/testing/kprobes do the work; `make`
# alone lists the commands.

# Tests run on both architectures unless ARCH names one
export ARCHES := $(or $(ARCH),x86_64 arm64)
export ARCH ?= x86_64
export KERNEL ?= series
export VARIANT ?= plain
export P KSRC CMD ACCEL STAGE SEED DURATION THREAD CONFIG LSMOD LIMIT

lab := tools/testing/kprobes

.PHONY: help setup series-tree build image deb run test test-all matrix bench profile clients torture series check bisect-check clean

help:
	@cat $(lab)/help

setup:
	@$(lab)/build/setup

build: setup
	@$(lab)/build/build

image: setup
	@$(lab)/build/build --if-needed

series-tree: setup
	@$(lab)/build/get
	@$(lab)/series/apply

deb: setup
	@$(lab)/build/deb

run: setup
	@$(lab)/guest/run

test: setup
	@$(lab)/steps/test

test-all: setup
	@$(lab)/steps/test --all

matrix: setup
	@$(lab)/steps/test --matrix

bench: setup
	@$(lab)/steps/bench
	@$(lab)/steps/operations
	@$(lab)/steps/points series stock
	@$(lab)/steps/control
	@$(lab)/steps/plots

profile: setup
	@$(lab)/steps/profile

clients: setup
	@TIMEOUT=1500 SPLATS=fail $(lab)/steps/test-clients

torture: setup
	@SPLATS=fail $(lab)/steps/torture

series: setup
	@$(lab)/build/get
	@$(lab)/series/export

check: setup
	@$(lab)/steps/check

bisect-check: setup
	@$(lab)/build/get
	@$(lab)/series/bisect-check $(ARCHES)

clean:
	rm -rf out
