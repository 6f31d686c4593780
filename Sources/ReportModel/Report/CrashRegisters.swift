import JsonReading

/// The registers of the crashed thread that say something about the crash. Each is nil if the
/// report does not give it.
package struct CrashRegisters: Hashable, Sendable {
  /// `pc`, or `rip` and `eip` of Intel processors.
  package let programCounter: UInt64?
  /// `sp`, or `rsp` and `esp`.
  package let stackPointer: UInt64?
  /// ARM's exception syndrome register (`esr`): the class of the exception in bits 26 to 31, its
  /// details below. The words that reports put behind it may be stale; the number is not.
  package let exceptionSyndrome: UInt64?
  /// `far`, or `cr2` of Intel processors: where the last access failed, maybe long before.
  private let faultAddress: UInt64?
  /// Of Intel processors: which exception it was, and its details.
  private let trap: UInt64?
  private let errorCode: UInt64?
  /// Of Intel processors of 64 bits: the second argument of a system call.
  private let secondArgument: UInt64?

  /// - Parameter value: the value of the first of several registers that the report has.
  fileprivate init(_ value: ([String]) -> UInt64?) {
    programCounter = value(["pc", "rip", "eip"])
    stackPointer = value(["sp", "rsp", "esp"])
    exceptionSyndrome = value(["esr"])
    faultAddress = value(["far", "cr2"])
    trap = value(["Trap Number", "trap"])
    errorCode = value(["Error Code", "err"])
    secondArgument = value(["rsi"])
  }

  /// Whether a trap instruction stopped the thread: of Intel processors, breakpoint or invalid
  /// opcode.
  package var isTrap: Bool { breakpoint != nil || trap == 3 || trap == 6 }

  /// The signal with which the thread ended the process, if it was in the system call for that. The
  /// error code has the number of the call, with its class in the highest byte.
  ///
  /// Source: XNU, osfmk/mach/i386/syscall_sw.h (`SYSCALL_CLASS_UNIX`) and bsd/kern/syscalls.master
  /// (328, `__pthread_kill`); the number of the trap, as in reports of `abort()`.
  package var sentSignal: String? {
    guard trap == 133, errorCode == 2 << 24 | 328 else { return nil }
    return secondArgument.flatMap { MachNames.signal($0) }
  }

  /// An access that failed, for a text that does not say so elsewhere; nil if the registers do not
  /// show one.
  ///
  /// Source: Arm Architecture Reference Manual, ESR_ELx (bits 0 to 5: 0x04 to 0x07 translation,
  /// 0x0c to 0x0f permission); Intel Software Developer's Manual, volume 3, "Interrupt 14 -
  /// Page-Fault Exception".
  package var fault: (address: UInt64, access: DataAccess?, isOfProtection: Bool)? {
    guard let faultAddress else { return nil }
    if let exceptionSyndrome, dataAccess != nil || failedToFetch {
      return (faultAddress, dataAccess, exceptionSyndrome & 0x3c == 0x0c)
    }
    guard trap == 14, let errorCode else { return nil }
    return (faultAddress, errorCode & 2 == 0 ? .read : .write, errorCode & 1 != 0)
  }

  /// Whether an access to data failed (exception class 0x24: a data abort from a lower level), and
  /// which kind it was. Nil if the registers do not say.
  ///
  /// Source: Arm Architecture Reference Manual, ESR_ELx; bit 6 of a data abort is `WnR`.
  package var dataAccess: DataAccess? {
    guard let exceptionSyndrome, exceptionSyndrome >> 26 & 0x3f == 0x24 else { return nil }
    return exceptionSyndrome & 0x40 == 0 ? .read : .write
  }

  /// How the code accessed `address`, also on Intel's processors: the error code of a page fault
  /// says it. Nil if the fault was at another address: the registers may be of a later moment.
  ///
  /// Source: Intel Software Developer's Manual, volume 3, "Interrupt 14 - Page-Fault Exception":
  /// bit 1 is set for a write, bit 4 for the fetch of an instruction.
  package func dataAccess(at address: UInt64?) -> DataAccess? {
    if let dataAccess { return dataAccess }
    guard trap == 14, let errorCode, errorCode & 0x10 == 0,
      address == nil || faultAddress == nil || address == faultAddress
    else { return nil }
    return errorCode & 2 == 0 ? .read : .write
  }

  /// Whether an instruction could not be fetched (exception class 0x20: an instruction abort from a
  /// lower level).
  package var failedToFetch: Bool {
    exceptionSyndrome.map { $0 >> 26 & 0x3f == 0x20 } ?? false
  }

  package enum DataAccess: Hashable, Sendable {
    case read, write
  }

  /// The number of the breakpoint instruction (`brk #1`) that stopped the thread (exception class
  /// 0x3c); nil if none did.
  package var breakpoint: UInt64? {
    guard let exceptionSyndrome, exceptionSyndrome >> 26 & 0x3f == 0x3c else { return nil }
    return exceptionSyndrome & 0xffff
  }
}

/// A register of the crashed thread.
package struct RegisterValue: Hashable, Sendable {
  /// In lower case: `pc`, `rip`, `x0`.
  package let name: String
  package let value: UInt64

  package init(name: String, value: UInt64) {
    self.name = name
    self.value = value
  }
}

extension Report {
  /// The registers of the crashed thread. Read from the report on each call.
  package var crashRegisters: CrashRegisters {
    let value = registerOfCrash
    return CrashRegisters { names in names.lazy.compactMap { value($0) }.first }
  }

  /// Whether the report has registers of a thread, as Apple's formats write them.
  package var hasThreadState: Bool {
    !threadStates.isEmpty || crashedThread?.json?[.threadState]?.kind == .object
  }

  /// Whether one of the general registers of the crashed thread is zero. An access near address 0
  /// through a null pointer leaves one, because an instruction that faults changes none. Nil if the
  /// report does not give most of them. Cost: the report is searched for each name.
  package var hasZeroRegister: Bool? {
    let numbered = crashedThread?.json?[.threadState]?["x"]?.elements
    let listed = numbered?.compactMap { $0[.value]?.unsignedInteger } ?? []
    let values = listed + generalRegisters.map(\.value)
    return values.count < Self.fewestRegisters ? nil : values.contains(0)
  }

  /// The general registers of the crashed thread by their names, without those that `.ips` only
  /// numbers. Cost: the report is searched for each name.
  package var generalRegisters: [RegisterValue] {
    let value = registerOfCrash
    return Self.generalRegisters.compactMap { name in
      value(name).map { RegisterValue(name: name, value: $0) }
    }
  }

  /// Of ARM with 64 and 32 bits, and of Intel with 64 and 32 bits.
  private static let generalRegisters =
    ["fp"] + (0...28).map { "x\($0)" } + (0...15).map { "r\($0)" }
    + ["a", "b", "c", "d"].flatMap { ["r\($0)x", "e\($0)x"] }
    + ["rdi", "rsi", "rbp", "edi", "esi", "ebp"]

  /// How many Intel processors of 32 bits have.
  private static let fewestRegisters = 7

  /// The value of a register of the crashed thread by its name; nil for one that is not given.
  private var registerOfCrash: (String) -> UInt64? {
    if let state = crashedThread?.json?[.threadState] {
      return { state[$0]?[.value]?.unsignedInteger }
    }
    if !registers.isEmpty {
      return { name in registers.first { $0.name == name }?.value }
    }
    let number = crashedThread?.number
    let state =
      threadStates.first { $0.threadNumber != nil && $0.threadNumber == number }
      ?? threadStates.first
    return { state?.register($0) }
  }
}

/// A pointer that was overwritten with a text.
package enum PointerText {
  /// The bytes of a number as text, if enough of them are letters, digits, punctuation or spaces:
  /// all four of a pointer of 32 bits; of 64 bits at least six, and only zeros behind them, or four
  /// letters (nothing is mapped so low); or four characters of UTF-16 (`0x0070006d00690040` is
  /// “@imp”). In the order of memory, little-endian; UTF-16 in both orders.
  package static func text(of address: UInt64, is64Bit: Bool) -> String? {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
    if is64Bit {
      let even = stride(from: 0, to: 8, by: 2).map { bytes[$0] }
      let odd = stride(from: 1, to: 8, by: 2).map { bytes[$0] }
      for (low, high) in [(even, odd), (odd, even)]
      where high.allSatisfy({ $0 == 0 }) && low.allSatisfy(isShown) && low.contains(where: isLetter)
      {
        return String(decoding: low, as: UTF8.self)
      }
    }
    let text = bytes.prefix(while: isShown)
    let isLong = text.count >= (is64Bit ? 6 : 4) && text.contains(where: isLetter)
    guard isLong || text.count == 4 && text.allSatisfy({ 0x61...0x7a ~= $0 | 0x20 }),
      bytes.dropFirst(text.count).allSatisfy({ $0 == 0 })
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isShown(_ byte: UInt8) -> Bool { (0x20...0x7e).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x7e).contains(byte) }
}
