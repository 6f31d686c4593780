/// A message of Protocol Buffers, put together field by field. Source:
/// protobuf.dev/programming-guides/encoding.
public struct ProtobufMessage {
  public private(set) var bytes: [UInt8] = []

  public init(_ fill: (inout ProtobufMessage) -> Void = { _ in }) { fill(&self) }

  public mutating func number(_ field: UInt64, _ value: UInt64) {
    varint(field << 3)
    varint(value)
  }

  public mutating func text(_ field: UInt64, _ value: String) { data(field, Array(value.utf8)) }

  public mutating func data(_ field: UInt64, _ value: [UInt8]) {
    varint(field << 3 | 2)
    varint(UInt64(value.count))
    bytes += value
  }

  public mutating func message(_ field: UInt64, _ fill: (inout ProtobufMessage) -> Void) {
    data(field, ProtobufMessage(fill).bytes)
  }

  public mutating func raw(_ value: [UInt8]) { bytes += value }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

extension ProtobufMessage {
  /// A report of PLCrashReporter with frames of the example report: its app crashed by a trap in
  /// thread 2.
  public static func plCrash(_ change: (inout ProtobufMessage) -> Void = { _ in }) -> [UInt8] {
    let report = ProtobufMessage { report in
      report.message(1) { system in
        system.number(1, 1)
        system.text(2, "12.4")
        system.number(3, 6)
        system.number(4, 1_564_598_000)
        system.text(5, "16G77")
      }
      report.message(2) { app in
        app.text(1, "org.example.LetterShuffle")
        app.text(2, "6")
        app.text(3, "1.3")
      }
      report.message(7) { process in
        process.text(1, "Letter Shuffle")
        process.number(2, 4242)
        process.text(3, "/var/1/Letter Shuffle.app/Letter Shuffle")
        process.text(4, "launchd")
        process.number(5, 1)
        process.number(6, 1)
      }
      report.message(8) { machine in
        machine.text(1, "iPhone10,4")
        machine.message(2) { addProcessor(to: &$0) }
      }
      report.message(3) { thread in
        thread.number(1, 0)
        thread.message(2) { $0.number(3, 0x1_0024_563c) }
        thread.number(3, 0)
      }
      report.message(3) { thread in
        thread.number(1, 2)
        thread.message(2) { $0.number(3, 0x1_0024_f19c) }
        thread.message(2) { frame in
          frame.number(3, 0x1_0024_53f4)
          frame.message(6) { symbol in
            symbol.text(1, "stated")
            symbol.number(2, 0x1_0024_53cc)
          }
        }
        thread.message(2) { $0.number(3, 0x10) }
        thread.number(3, 1)
        thread.message(4) { register in
          register.text(1, "pc")
          register.number(2, 0x1_0024_f19c)
        }
        thread.message(4) { register in
          register.text(1, "sp")
          register.number(2, 0x1_6fd2_1030)
        }
      }
      report.message(4) { image in
        image.number(1, 0x1_0022_8000)
        image.number(2, 0x44000)
        image.text(3, "/var/1/Letter Shuffle.app/Letter Shuffle")
        image.data(
          4,
          [
            0xa4, 0xb1, 0xde, 0x49, 0x70, 0xb3, 0x30, 0x1d, 0xa6, 0x44, 0x58, 0xd6, 0xbc, 0x22,
            0xf5, 0x13,
          ])
        image.message(5) { addProcessor(to: &$0) }
      }
      report.message(6) { signal in
        signal.text(1, "SIGTRAP")
        signal.text(2, "TRAP_BRKPT")
        signal.number(3, 0x1_0024_f19c)
        signal.message(4) { mach in
          mach.number(1, 6)
          mach.number(2, 1)
          mach.number(2, 0x1_0024_f19c)
        }
      }
      report.message(9) { information in
        information.number(1, 0)
        information.data(2, Array(1...16))
      }
      change(&report)
    }
    return Array("plcrash\u{1}".utf8) + report.bytes
  }

  private static func addProcessor(to message: inout ProtobufMessage) {
    message.number(1, 1)
    message.number(2, 0x0100_000c)
    message.number(3, 0)
  }
}
