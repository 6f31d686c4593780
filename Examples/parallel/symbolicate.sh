#!/usr/bin/env bash
# Symbolicates the records on standard input with GNU parallel, a worker for each processor. The
# answers come in the order of the records. Options go to the workers.
#
#   symbolicate.sh --search SYMBOLS --index-dir INDEXES < records.ndjson > answers.ndjson
#
# Each worker gets a block of lines. If it fails, its block is given to another one, three times in
# all, and what the failed one had answered is dropped. The exit status is that of parallel: the
# number of blocks that have failed each time.
set -euo pipefail

parallel --pipe --keep-order --block "${BLOCK:-4M}" --retries 3 --quote \
  symbolicate worker --jobs 1 "$@"
