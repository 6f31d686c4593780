package import ReportFormats
package import ReportModel
import SymbolicationModel

/// A report of PLCrashReporter in its binary format: the word `plcrash`, a byte with the version,
/// which is 1, and a message of Protocol Buffers.
///
/// Source: the message `CrashReport` of the format's public schema (Protocol Buffers, syntax 2);
/// the numbers in this file are its field numbers. Other fields are passed over.
package struct PlCrashReport {
  package static let magic = Array("plcrash".utf8)

  package let bytes: [UInt8]
  private(set) var system = System()
  private(set) var app = App()
  package private(set) var process = Process()
  private(set) var machineModel: Range<Int>?
  private(set) var machineProcessor: Processor?
  package private(set) var threads: [Thread] = []
  package private(set) var images: [Image] = []
  package private(set) var exception: Exception?
  package private(set) var signal: Signal?
  private(set) var identifier: Range<Int>?
  private(set) var isRequested = false
  private(set) var customData: Range<Int>?
  /// Where the first byte is that could not be read; nil if all could.
  package private(set) var damage: Int?
  /// The limits that were met.
  package private(set) var faults: [ParseFault] = []
  private let allowance: ReportAllowance

  struct System {
    var kind: UInt64?
    var version: Range<Int>?
    var build: Range<Int>?
    var architecture: UInt64?
    var timestamp: UInt64?
  }

  struct App {
    var identifier: Range<Int>?
    var version: Range<Int>?
    var marketingVersion: Range<Int>?
  }

  package struct Process {
    package var name: Range<Int>?
    var identifier: UInt64?
    package var path: Range<Int>?
    var parentName: Range<Int>?
    var parentIdentifier: UInt64?
    var isNative: Bool?
    var startTime: UInt64?
  }

  struct Processor {
    var encoding: UInt64 = 0
    var type: UInt64 = 0
    var subtype: UInt64 = 0

    /// Nil unless the numbers are those of Mach-O.
    var architecture: Architecture? {
      encoding != 1
        ? nil
        : Architecture(
          machCpuType: UInt32(truncatingIfNeeded: type),
          subtype: UInt32(truncatingIfNeeded: subtype))
    }
  }

  package struct Thread {
    package var number: UInt64?
    var isCrashed = false
    package var frames: [Frame] = []
    var registers: [(name: Range<Int>, value: UInt64)] = []
  }

  package struct Frame {
    package let address: UInt64
    var function: Range<Int>?
    var functionStart: UInt64?
  }

  package struct Image {
    package var base: UInt64
    package var byteCount: UInt64 = 0
    package var path: Range<Int>?
    var uuid: Range<Int>?
    var processor: Processor?
  }

  package struct Exception {
    package var name: Range<Int>?
    var reason: Range<Int>?
    package var frames: [Frame] = []
  }

  package struct Signal {
    package var name: Range<Int>?
    package var code: Range<Int>?
    package var address: UInt64?
    var machException: UInt64?
    var machCodes: [UInt64] = []
  }

  /// Nil if the bytes are of another kind, or of another version.
  package init?(_ bytes: [UInt8], _ allowance: ReportAllowance) {
    guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count,
      bytes[Self.magic.count] == 1
    else { return nil }
    self.bytes = bytes
    self.allowance = allowance
    readReport()
  }

  // MARK: Messages

  /// Calls `body` for each field of a message.
  private mutating func walk(
    _ range: Range<Int>?, _ body: (inout Self, ProtobufFields.Field) -> Void
  ) {
    guard let range else { return }
    var fields = ProtobufFields(bytes, in: range)
    while let field = fields.next() { body(&self, field) }
    if let offset = fields.damage, damage == nil { damage = offset }
  }

  private mutating func readReport() {
    walk(Self.magic.count + 1..<bytes.count) { report, field in
      let value = field.value
      switch field.number {
      case 1: report.readSystem(value.message)
      case 2: report.readApp(value.message)
      case 3:
        guard report.allowance.takeThread(at: field.byteRange, &report.faults) else { return }
        report.readThread(value.message)
      case 4:
        guard report.allowance.takeImage(at: field.byteRange, &report.faults) else { return }
        report.readImage(value.message)
      case 5: report.readException(value.message)
      case 6: report.readSignal(value.message)
      case 7: report.readProcess(value.message)
      case 8: report.readMachine(value.message)
      case 9: report.readInformation(value.message)
      case 10: report.customData = value.whole
      default: break
      }
    }
  }

  private mutating func readSystem(_ range: Range<Int>?) {
    walk(range) { report, field in
      switch field.number {
      case 1: report.system.kind = field.value.number
      case 2: report.system.version = field.value.whole
      case 3: report.system.architecture = field.value.number
      case 4: report.system.timestamp = field.value.number
      case 5: report.system.build = field.value.whole
      default: break
      }
    }
  }

  private mutating func readApp(_ range: Range<Int>?) {
    walk(range) { report, field in
      switch field.number {
      case 1: report.app.identifier = field.value.whole
      case 2: report.app.version = field.value.whole
      case 3: report.app.marketingVersion = field.value.whole
      default: break
      }
    }
  }

  private mutating func readProcess(_ range: Range<Int>?) {
    walk(range) { report, field in
      switch field.number {
      case 1: report.process.name = field.value.whole
      case 2: report.process.identifier = field.value.number
      case 3: report.process.path = field.value.whole
      case 4: report.process.parentName = field.value.whole
      case 5: report.process.parentIdentifier = field.value.number
      case 6: report.process.isNative = field.value.number.map { $0 != 0 }
      case 7: report.process.startTime = field.value.number
      default: break
      }
    }
  }

  private mutating func readMachine(_ range: Range<Int>?) {
    walk(range) { report, field in
      switch field.number {
      case 1: report.machineModel = field.value.whole
      case 2: report.machineProcessor = report.processor(field.value.message)
      default: break
      }
    }
  }

  private mutating func readInformation(_ range: Range<Int>?) {
    walk(range) { report, field in
      switch field.number {
      case 1: report.isRequested = field.value.number.map { $0 != 0 } ?? false
      case 2: report.identifier = field.value.whole
      default: break
      }
    }
  }

  private mutating func readSignal(_ range: Range<Int>?) {
    var signal = Signal()
    walk(range) { report, field in
      switch field.number {
      case 1: signal.name = field.value.whole
      case 2: signal.code = field.value.whole
      case 3: signal.address = field.value.number
      case 4:
        report.walk(field.value.message) { report, field in
          switch field.number {
          case 1: signal.machException = field.value.number
          case 2: signal.machCodes += report.numbers(field.value)
          default: break
          }
        }
      default: break
      }
    }
    self.signal = signal
  }

  /// A number that may be repeated: one, or several without tags.
  private func numbers(_ value: ProtobufFields.Value) -> [UInt64] {
    // A Mach exception has two codes.
    guard let range = value.message else { return value.number.map { [$0] } ?? [] }
    var numbers: [UInt64] = []
    var (number, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes[range] where numbers.count < 8 && shift < 64 {
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      numbers.append(number)
      (number, shift) = (0, 0)
    }
    return numbers
  }

  private mutating func readException(_ range: Range<Int>?) {
    var exception = Exception()
    walk(range) { report, field in
      switch field.number {
      case 1: exception.name = field.value.whole
      case 2: exception.reason = field.value.whole
      case 3: report.addFrame(field, to: &exception.frames)
      default: break
      }
    }
    self.exception = exception
  }

  // MARK: Threads and images

  private mutating func readThread(_ range: Range<Int>?) {
    var thread = Thread()
    walk(range) { report, field in
      switch field.number {
      case 1: thread.number = field.value.number
      case 2: report.addFrame(field, to: &thread.frames)
      case 3: thread.isCrashed = field.value.number.map { $0 != 0 } ?? false
      case 4:
        var (name, value): (Range<Int>?, UInt64?)
        report.walk(field.value.message) { _, field in
          switch field.number {
          case 1: name = field.value.whole
          case 2: value = field.value.number
          default: break
          }
        }
        // No processor has as many.
        if let name, let value, thread.registers.count < 256 {
          thread.registers.append((name, value))
        }
      default: break
      }
    }
    threads.append(thread)
  }

  /// Adds a frame, unless it has no address.
  private mutating func addFrame(_ field: ProtobufFields.Field, to frames: inout [Frame]) {
    guard allowance.takeFrame(at: field.byteRange, &faults) else { return }
    var (address, function, start): (UInt64?, Range<Int>?, UInt64?)
    walk(field.value.message) { report, field in
      switch field.number {
      case 3: address = field.value.number
      case 6:
        report.walk(field.value.message) { _, field in
          switch field.number {
          case 1: function = field.value.whole
          case 2: start = field.value.number
          default: break
          }
        }
      default: break
      }
    }
    guard let address else {
      faults.append(ParseFault(kind: .unreadableFrame, byteRange: field.byteRange))
      return
    }
    frames.append(Frame(address: address, function: function, functionStart: start))
  }

  private mutating func readImage(_ range: Range<Int>?) {
    guard let range else { return }
    var base: UInt64?
    var image = Image(base: 0)
    walk(range) { report, field in
      switch field.number {
      case 1: base = field.value.number
      case 2: image.byteCount = field.value.number ?? 0
      case 3: image.path = field.value.whole
      case 4: image.uuid = field.value.whole
      case 5: image.processor = report.processor(field.value.message)
      default: break
      }
    }
    guard let base else {
      faults.append(ParseFault(kind: .unreadableImage, byteRange: range))
      return
    }
    image.base = base
    images.append(image)
  }

  private mutating func processor(_ range: Range<Int>?) -> Processor {
    var processor = Processor()
    walk(range) { _, field in
      guard let number = field.value.number else { return }
      switch field.number {
      case 1: processor.encoding = number
      case 2: processor.type = number
      case 3: processor.subtype = number
      default: break
      }
    }
    return processor
  }
}
