import Benchmark
import CrashLogParser
import Platform

// What `make bench` measures, with the `benchmark` package: reports, and the stages between a
// symbol file and an answer, for a file in Fixtures and for the one that SYMBOLICATE_BENCH_FILE
// names. The bars for reports, on one core: 200 MB/s or more, and less memory than 4 times the size
// of the report, the report itself included.

private let megabytesPerSecond = BenchmarkMetric.custom(
  "MB/s", polarity: .prefersLarger, useScalingFactor: false)
private let memoryShare = BenchmarkMetric.custom(
  "Peak memory, % of the report", polarity: .prefersSmaller, useScalingFactor: false)

/// Parses `report` once in each iteration and records the speed and the memory.
private func measureParsing(of report: [UInt8], _ benchmark: Benchmark) {
  for _ in benchmark.scaledIterations {
    ResidentMemory.forgetPeak()
    let before = ResidentMemory.current
    let clock = ContinuousClock()
    var frames = 0
    let duration = clock.measure { frames = (try? frameCount(of: report)) ?? 0 }
    let peak = ResidentMemory.peak
    guard frames > 0 else {
      benchmark.error("no frames were read")
      return
    }
    let seconds = duration / .seconds(1)
    benchmark.measurement(megabytesPerSecond, Int(Double(report.count) / seconds / 1e6))
    benchmark.measurement(memoryShare, (peak - before + report.count) * 100 / report.count)
  }
}

/// Passes `log` through a stream once in each iteration, in pieces as a pipe has them.
private func measureCutting(of log: [UInt8], _ benchmark: Benchmark) {
  for _ in benchmark.scaledIterations {
    let clock = ContinuousClock()
    var size = 0
    let duration = clock.measure {
      var cutter = ReportCutter(limit: 64 << 20)
      var start = 0
      while start < log.count {
        let end = min(start + 65536, log.count)
        let pieces = cutter.take(Array(log[start..<end]))
        size += pieces.count
        blackHole(pieces)
        start = end
      }
    }
    guard size > 0 else {
      benchmark.error("nothing was handed on")
      return
    }
    let seconds = duration / .seconds(1)
    benchmark.measurement(megabytesPerSecond, Int(Double(log.count) / seconds / 1e6))
  }
}

private func frameCount(of report: [UInt8]) throws -> Int {
  let reports = try CrashLogParser.parse(report)
  defer { blackHole(reports) }
  return reports.reduce(0) { $0 + $1.threads.reduce(0) { $0 + $1.frames.count } }
}

let benchmarks: @Sendable () -> Void = {
  unsafe Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .cpuTotal, .peakMemoryResident], warmupIterations: 1,
    maxDuration: .seconds(5), maxIterations: 1000)

  let ofReports = Benchmark.Configuration(
    metrics: [megabytesPerSecond, memoryShare, .wallClock], warmupIterations: 1,
    maxDuration: .seconds(10), maxIterations: 20)

  Benchmark("Report as text, 20 MB", configuration: ofReports) { benchmark, report in
    measureParsing(of: report, benchmark)
  } setup: {
    LargeReports.text()
  }

  Benchmark("Report as .ips, 20 MB", configuration: ofReports) { benchmark, report in
    measureParsing(of: report, benchmark)
  } setup: {
    LargeReports.ips()
  }

  let ofLogs = Benchmark.Configuration(
    metrics: [megabytesPerSecond, .wallClock], warmupIterations: 1, maxDuration: .seconds(10),
    maxIterations: 20)

  Benchmark("Log of Docker without traces, 20 MB", configuration: ofLogs) { benchmark, log in
    measureCutting(of: log, benchmark)
  } setup: {
    LargeReports.dockerLog(hasTraces: false)
  }

  Benchmark("Log of Docker with a trace every 1,000 lines", configuration: ofLogs) {
    benchmark, log in
    measureCutting(of: log, benchmark)
  } setup: {
    LargeReports.dockerLog(hasTraces: true)
  }

  SymbolFileBenchmarks(
    title: "Inlines.dSYM",
    path: LargeReports.fixture("Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines")
  ).register()
  if let path = environmentVariable("SYMBOLICATE_BENCH_FILE") {
    SymbolFileBenchmarks(title: "SYMBOLICATE_BENCH_FILE", path: path).register()
  }
}

private func environmentVariable(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe String(cString: value)
}
