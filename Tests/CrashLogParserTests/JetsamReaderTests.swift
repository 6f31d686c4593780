import CrashLogParser
import TestSupport
import Testing

/// Jetsam reports, with the keys that Apple documents in "Identifying high-memory use with jetsam
/// event reports".
struct JetsamReaderTests {
  static let header =
    #"{"bug_type":"298","timestamp":"2026-01-02 03:04:05.00 +0100","os_version":"iPhone OS 26.1 (23B85)"}"#
  static let body = #"""
    {
      "crashReporterKey" : "c0ffee",
      "product" : "iPhone14,2",
      "incident" : "0A1B2C3D-0000-4000-8000-001122334455",
      "date" : "2026-01-02 03:04:05.67 +0100",
      "build" : "iPhone OS 26.1 (23B85)",
      "memoryStatus" : {
        "pageSize" : 16384,
        "memoryPages" : {"active" : 100, "free" : 7}
      },
      "largestProcess" : "Letters",
      "processes" : [
      {"pid" : 41, "name" : "daemon", "rpages" : 64, "states" : ["daemon", "idle"]},
      {"pid" : 812, "name" : "Letters", "rpages" : 92802, "lifetimeMax" : 92900,
       "states" : ["frontmost"], "reason" : "per-process-limit"}
      ]
    }
    """#

  private static let head = """
    Incident Identifier: 7BC7B59F
    CrashReporter Key:   c0ffee
    Hardware Model:      iPad2,5
    OS Version:          iPhone OS 7.0.4 (11B554a)
    Kernel Version:      Darwin Kernel Version 14.0.0: root:xnu-2423.3.12~1/RELEASE_ARM_S5L8942X
    Date:                2015-08-07 11:20:54 +0800

    Free pages:                              922
    Wired pages:                             47617
    Largest process:   mediad

    Processes

    """

  /// The table was cut off, and the first lines too.
  @Test(arguments: [0, 46])
  func textWithoutProcesses(start: Int) throws {
    let whole = Self.head.replacing("\nProcesses\n", with: "")
    let report = try ParsedText(String(whole.dropFirst(start))).report
    let memory = try require(report.facts.memory)
    expectEqual(report.facts.event, .memory)
    expectEqual(memory.largestProcess, "mediad")
    expectEqual(memory.pages.map(\.name), ["free", "wired"])
    expectTrue(memory.killed.isEmpty)
  }

  /// Reports as text, up to iOS 8: the tables of iOS 5, 7 and 8, as TN2151 and public reports have
  /// them.
  @Test(
    arguments: [
      (
        """
             Name                 <UUID>                    Count resident pages
            mediad <00000000000000000000000000000002>    25807
             Board <00000000000000000000000000000001>    22810 (jettisoned) (active)
        """, "jettisoned", nil
      ),
      (
        """
             Name                    <UUID>                       rpages       recent_max   fds      [reason]          (state)

             Board <00000000000000000000000000000001>        22810            22900  200   [vm-pageshortage]  (frontmost) (resume)
            mediad <00000000000000000000000000000002>        25807            25807  200                      (daemon)
        """, "vm-pageshortage", 22900
      ),
      (
        """
             Name                    <UUID>      CPU Time       rpages     purgeable   recent_max  lifetime_max   fds     [reason]          (state)

             Board <00000000-0000-0000-0000-000000000001>   8.246      22810     0    22850     22900  200   [per-process-limit]  (frontmost)
             3D me <00000000000000000000000000000002>   0.10      25807     0    25807     25807  200                      (daemon)
        """, "per-process-limit", 22900
      ),
    ] as [(String, String, UInt64?)])
  func texts(table: String, reason: String, greatest: UInt64?) throws {
    let report = try ParsedText("```\n\(Self.head)\(table)\n```\n").report
    let memory = try require(report.facts.memory)
    expectEqual(report.facts.event, .memory)
    expectEqual(report.facts.process.name, "Board")
    expectEqual(report.facts.termination.namespace, "JETSAM")
    expectEqual(report.facts.date, "2015-08-07 11:20:54 +0800")
    expectEqual(memory.processes.count, 2)
    expectEqual(memory.killed.map(\.name), ["Board"])
    expectEqual(memory.killed.first?.reason, reason)
    expectEqual(memory.killed.first?.pages, 22810)
    expectEqual(memory.killed.first?.greatestPages, greatest)
    expectEqual(memory.largestProcess, "mediad")
    expectEqual(memory.pageSize, 4096)
    expectEqual(memory.pages.map(\.name), ["free", "wired"])
  }

  @Test func facts() throws {
    let text = try ParsedText(Self.header + "\n" + Self.body + "\n")
    let report = try text.report
    expectEqual(report.format, .ipsJetsam)
    expectEmpty(report.faults)
    expectEmpty(report.backtraces)
    expectEqual(text[report.byteRange], Self.header + "\n" + Self.body)
    let facts = report.facts
    expectEqual(facts.bugType, "298")
    expectEqual(facts.hardwareModel, "iPhone14,2")
    expectEqual(facts.date, "2026-01-02 03:04:05.67 +0100")
    expectEqual(facts.incident, "0A1B2C3D-0000-4000-8000-001122334455")
    expectEqual(facts.system.name, "iPhone OS")
    expectEqual(facts.system.build, "23B85")
    expectEqual(facts.process.name, "Letters")
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.termination.namespace, "JETSAM")
    expectEqual(facts.termination.indicator, "per-process-limit")
    let memory = try require(facts.memory)
    expectEqual(memory.pageSize, 16384)
    expectEqual(memory.largestProcess, "Letters")
    expectEqual(memory.pages.map(\.name), ["active", "free"])
    expectEqual(memory.pages.last?.count, 7)
    expectEqual(memory.processes.map(\.name), ["daemon", "Letters"])
    let killed = try require(memory.killed.first)
    expectEqual(memory.killed.count, 1)
    expectEqual(memory.largest, killed)
    expectEqual(killed.states, ["frontmost"])
    expectEqual(killed.greatestPages, 92900)
    expectEqual(text[killed.byteRange], #""per-process-limit""#)
    // 92,802 pages of 16 KiB.
    expectEqual(memory.byteCount(pages: killed.pages), 1_520_467_968)
    expectNil(memory.byteCount(pages: .max))
  }

  /// People cut out parts, and paste a part twice. What is complete behind the damage counts once.
  @Test func damaged() throws {
    let body = #"""
      {
      "memoryStatus" : {"pageSize" : 4096},
      "largestProcess" : "Letters",
      "processes" : [
      {
      ...
      {
        "pid" : 812, "name" : "Letters", "rpages" : 10, "reason" : "vm-thrashing"
      },
      ...
      }

      {
        "pid" : 812, "name" : "Letters", "rpages" : 10, "reason" : "vm-thrashing"
      },
      """#
    let header = #"{"bug_type":"298","os_version ":"iPhone OS 9.3 (13E234)"}"#
    let report = try ParsedText(header + "\n" + body).report
    expectEqual(report.facts.system.version, "9.3")
    let memory = try require(report.facts.memory)
    expectEqual(memory.processes.count, 1)
    expectEqual(memory.killed.first?.identifier, 812)
    expectFalse(report.faults.isEmpty)
    expectTrue(report.faults.allSatisfy { $0.kind == .damagedJson })
  }

  /// The object after a missing comma counts too.
  @Test func withoutAComma() throws {
    let body = Self.body.replacing(#""idle"]},"#, with: #""idle"]}"#)
    let report = try ParsedText(Self.header + "\n" + body).report
    expectEqual(report.facts.memory?.killed.first?.name, "Letters")
    expectEqual(report.faults.map(\.kind).first, .damagedJson)
  }

  /// Cut at each byte: never a trap, and never more than there is.
  @Test func cut() throws {
    let bytes = Array((Self.header + "\n" + Self.body).utf8)
    for end in bytes.indices {
      guard let reports = try? CrashLogParser.parse(Array(bytes[..<end])) else { continue }
      for report in reports where report.format == .ipsJetsam {
        #expect(report.byteRange.upperBound <= end)
        expectEqual(report.facts.memory.map { $0.processes.count <= 2 }, true)
      }
    }
  }

  /// The objects of processes alone, in prose, and a body without the line above it. Without a
  /// reason they are no report.
  @Test func pieces() throws {
    let process = #"""
      {
        "rpages" : 960,  
        "states" : ["frontmost"],  
        "reason" : "per-process-limit",  
        "pid" : 812,  
        "name" : "Letters"
      }
      """#
    let other = #"{"rpages" : 4, "pid" : 7, "name" : "daemon", "reason" : "idle-exit"}"#
    let prose = "It is ended:\n\n\(process),\n\nand\n\n\(other)\nWhy?\n"
    for (text, count) in [(process, 1), ("[\(process)]", 1), (prose, 2), (Self.body, 2)] {
      let report = try ParsedText(text).report
      expectEqual(report.format, .ipsJetsam)
      expectEqual(report.facts.memory?.processes.count, count)
      expectEqual(report.facts.memory?.killed.first?.name, "Letters")
    }
    for text in [
      process.replacing("reason", with: "other"), #"{"rpages" : 4}"#, #"{"pages" : ["rpages"]}"#,
    ] {
      #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
    }
  }

  @Test func severalAndOthers() throws {
    let one = Self.header + "\n" + Self.body + "\n"
    let other = #"{"bug_type":"211"}"# + "\n" + #"{"message":{}}"# + "\n"
    let text = try ParsedText(one + other + one)
    expectEqual(text.reports.count, 2)
    expectTrue(text.reports.allSatisfy { text[$0.byteRange] == String(one.dropLast()) })
    // The crash keeps its bytes.
    let mixed = try ParsedText(one + IpsText.apple + one)
    expectEqual(mixed.reports.map(\.format), [.ipsJetsam, .ipsCrash, .ipsJetsam])
    expectTrue(
      mixed.reports[1].faults.isEmpty && mixed[mixed.reports[2].byteRange] == one.dropLast())
  }
}
