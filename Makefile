# The front door: `make` lists the goals. The work is done by bin/workbook and the scripts in cmake/.
#
# The words after a puzzle goal are handed to the puzzle as flags, so its variants need no list here:
#   make puzzle22 unfused        make puzzle22 -- --unfused        make puzzle22 ARGS='--unfused --size H=64'
# and after `. ./activate`, where bin/make stands before make:  make puzzle22 --unfused

MAKEFLAGS += --no-builtin-rules --no-print-directory
# What a command line sets is for this file, and not for the makes that it may start.
MAKEOVERRIDES :=
.SUFFIXES:
# Each goal is a whole job of its own, with output that must not be mixed with another's.
.NOTPARALLEL:
.DEFAULT_GOAL := help

here := $(dir $(lastword $(MAKEFILE_LIST)))
workbook := $(here)bin/workbook
goals := help test package viewer screenshots book watch list doctor bench format check-format tidy clean

# --- puzzle22, puzzle1, p22 ... and the words that follow them
digits := 0 1 2 3 4 5 6 7 8 9
puzzles :=
flags :=
last_puzzle :=
last_word :=

# A word with dashes, or the value after one, stays as it is typed; a bare word gets its dashes.
as_flag = $(if $(filter -%,$(1) $(last_word)),$(1),--$(1))
define read_word
  ifneq ($(filter $(foreach digit,$(digits),puzzle$(digit)% p$(digit)%),$(1)),)
    last_puzzle := $(1)
    puzzles += $(1)
  else ifneq ($(filter $(goals),$(1)),)
    last_puzzle :=
  else ifneq ($$(last_puzzle),)
    flags += $(1)
    flags_$$(last_puzzle) := $$(flags_$$(last_puzzle)) $$(call as_flag,$(1))
  endif
  last_word := $(1)
endef
$(foreach word,$(MAKECMDGOALS),$(eval $(call read_word,$(word))))
puzzles := $(sort $(puzzles))
flags := $(filter-out $(puzzles) $(goals),$(sort $(flags)))

.PHONY: $(goals) $(puzzles) $(flags)

ifneq ($(puzzles),)
$(puzzles):
	@$(workbook) run $(patsubst p%,%,$(patsubst puzzle%,%,$@)) $(flags_$@) $(ARGS_$@) $(ARGS)
endif
ifneq ($(flags),)
$(flags):
	@:
endif

# --- the other goals
help:
	@awk -F ' *## *' '/^## / { printf "  %-28s %s\n", $$2, $$3 }' $(here)Makefile

## puzzle22 --unfused   ## check and time your kernels for Puzzle 22 (after `. ./activate`)
## puzzle22 unfused     ## the same, without activation
## watch                ## run the current puzzle again at each save
## list                 ## the puzzles, and how far you are
## doctor               ## what this machine has, and what that lets you do
watch list doctor:
	@$(workbook) $@ $(ARGS)

## viewer               ## see your runs: unfused beside fused, threads on tensors
viewer:
	@$(here)cmake/build.sh viewer
	@$(here)build/workbook/viewer/workbook-viewer $(ARGS)

## screenshots          ## draw the pictures of the book and the README that are not up to date
screenshots:
	@$(here)cmake/setup.sh pictures
	@$(here)cmake/build.sh viewer workbook_cli workbook_viewer
	@$(here)book/pictures.py $(ARGS)

## book                 ## build the book, with its pictures, and say where it begins
book:
	@$(here)cmake/setup.sh book
	@{ $(here)cmake/setup.sh run viewer pictures && $(here)cmake/build.sh viewer workbook_cli workbook_viewer; } || \
	  echo "book: goes on without the viewer; its words above say why" >&2
	@$(here)book/build.sh

## test                 ## install what tests need, build everything, run every check
test:
	@$(here)cmake/test.sh $(ARGS)

## package              ## a Debian package and a tar file, for learners who are to compile nothing (build/package)
package:
	@$(here)cmake/package.sh $(ARGS)

## bench                ## the simulator's speed beside its peers'; with a GPU, also the solutions' and the model's error
bench:
	@$(here)harness/bench/bench.sh $(ARGS)

## format               ## lay out the C++ and CUDA sources in the house style
## check-format         ## say which sources are not laid out so
## tidy                 ## clang-tidy over the sources
format check-format tidy:
	@$(here)cmake/style.sh $@

## clean                ## remove build/; your kernels and your runs in .workbook/ stay
clean:
	rm -rf $(here)build
