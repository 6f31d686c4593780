#!/usr/bin/env bash
# The mapper of a Hadoop Streaming job: reads records for `symbolicate worker`, one in each line, and
# prints `signature TAB answer` for each report. Options go to the worker.
#
#   hadoop jar hadoop-streaming.jar -input records -output groups \
#     -mapper "mapper.sh --search SYMBOLS --index-dir INDEXES" -reducer reducer.sh \
#     -file mapper.sh -file reducer.sh
#
# The answer has only what `symbolicate group` reads. A record that could not be symbolicated has the
# key `-` and the code of its error. JSON escapes tabs and newlines, so neither can stand in a value.
# If the worker fails, so does the mapper, and Hadoop runs it again.
set -euo pipefail

symbolicate worker --jobs 1 "$@" |
  jq --raw-output --unbuffered '
    if .ok
    then . as {$id, $schema, $reports} | $reports[] | [
      .signature.hash // "",
      ({id: $id, ok: true, schema: $schema, reports: [
        {signature, crash, event, exception, process, os, crashReporterKey, date}
      ]} | tojson)
    ]
    else ["-", ({id, code: .error.code} | tojson)]
    end | join("\t")'
