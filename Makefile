# SPDX-License-Identifier: GPL-2.0
# The doors of the lab.  The work is done by scripts in tools/testing/kprobes;
# `make` alone tells what there is.

# What tests go through: both, unless one is asked for
export ARCHES := $(or $(ARCH),x86_64 arm64)
export ARCH ?= x86_64
export KERNEL ?= series
export VARIANT ?= plain
export KSRC CMD ACCEL STAGE SEED DURATION THREAD

lab := tools/testing/kprobes

.PHONY: help setup series-tree build image run test test-all bench torture series check bisect-check clean

help:
	@cat $(lab)/help

setup:
	@$(lab)/setup

build: setup
	@$(lab)/build

image: setup
	@$(lab)/build --if-needed

series-tree: setup
	@$(lab)/get
	@$(lab)/apply

run: setup
	@$(lab)/run

test: setup
	@$(lab)/test

test-all: setup
	@$(lab)/test --all

bench: setup
	@$(lab)/bench

torture: setup
	@SPLATS=fail $(lab)/torture

series: setup
	@$(lab)/get
	@$(lab)/export

check: setup
	@$(lab)/check

bisect-check: setup
	@$(lab)/get
	@$(lab)/bisect-check $(ARCHES)

clean:
	rm -rf out
