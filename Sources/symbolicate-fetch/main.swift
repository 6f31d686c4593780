// `symbolicate-fetch`: downloads symbol files for `symbolicate`, which starts it if a server is
// configured and a symbol file was found nowhere else. Requests come in on standard input and
// reports go out on standard output, as `FetchProtocol` describes.
//
// It is a program of its own because `symbolicate` is static: a static program cannot load the
// system's libcurl and libdebuginfod, and one that links them starts more slowly. What it downloads
// is neither read nor trusted here.

import FetchProtocol
import Platform

guard isatty(STDIN_FILENO) == 0 else {
  let message = Array("symbolicate-fetch is started by symbolicate and has no options.\n".utf8)
  _ = unsafe write(STDERR_FILENO, message, message.count)
  exit(64)
}

let output = ReportOutput()
output.write(.hello(version: FetchReport.version))
let work = FetchWork(output: output)
var lines = FetchLineBuffer()
var buffer = [UInt8](repeating: 0, count: 1 << 16)
while true {
  let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
  if count < 0, errno == EINTR { continue }
  // Nobody waits for the rest.
  guard count > 0, let complete = lines.add(buffer[..<count]) else { _exit(0) }
  for line in complete {
    guard let request = FetchRequest(line: line) else { _exit(65) }
    if request == .end {
      work.finish()
      exit(0)
    }
    work.add(request)
  }
}
