# shellcheck shell=bash
# Sourced: a small corpus for mixed_target.cc in ./corpus, the same bytes every time.
mkdir -p corpus
printf 'a' >corpus/a
printf 'the quick brown fox jumps over the lazy dog' >corpus/b
printf 'aaaa eeee xxxx !' >corpus/c
: >corpus/d
for ((i = 0; i < 400; ++i)); do printf '%d,' $((i * 7919 % 1000)); done >corpus/e
