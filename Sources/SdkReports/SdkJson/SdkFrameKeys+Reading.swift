package import JsonReading
package import ReportModel
package import SymbolicationModel

// Frames are read with the keys of their dialect.

extension SdkFrameKeys {
  private func number(_ value: JsonValue?) -> UInt64? {
    hasBareDigits ? value?.sdkDigits : value?.sdkNumber
  }

  /// The address that a frame's object states.
  func statedAddress(_ object: JsonValue) -> UInt64? { number(object[address]) }

  package func frame(_ object: JsonValue, _ kind: FrameAddressKind) -> StackFrame {
    var values = FrameValues(byteRange: object.byteRange)
    values.json = object
    values.addressKind = kind
    values.isInlined = object[inlined]?.boolean ?? false
    values.imageName = object[imageName]?.filledString?.lastPathComponent
    let address = statedAddress(object)
    let base = number(object[imageBase])
    if let address, let base, base > 0, base <= address {
      values.imageRelativeAddress = ImageRelativeAddress(
        base: LoadAddress(base), offset: address - base)
    }
    values.symbol = symbol(object, at: address, base)
    return StackFrame(address: address.map { LoadAddress($0) }, carrier: .values(values))
  }

  private func symbol(_ object: JsonValue, at address: UInt64?, _ base: UInt64?) -> FrameSymbol? {
    guard let name = object[function]?.filledString else { return nil }
    let start = functionStart.flatMap { number(object[$0]) }
    // Where an image has no symbols, SDKs find the one of its header, which is at its start.
    if let start, start == base, Self.headerNames.contains(name) { return nil }
    var symbol = FrameSymbol(name: name, isInlined: object[inlined]?.boolean ?? false)
    if let start, let address, start <= address, start > 0 {
      symbol.offset = Int64(exactly: address - start)
    }
    if let file = (path.flatMap { object[$0] } ?? object[file])?.filledString
      ?? object[self.file]?.filledString
    {
      symbol.file = file
      symbol.line = object[line]?.sdkInteger
      symbol.column = object[column]?.sdkInteger.flatMap { $0 > 0 ? $0 : nil }
    }
    return symbol
  }

  private static let headerNames: Set = [
    "_mh_execute_header", "__mh_execute_header", "_mh_dylib_header", "__mh_dylib_header",
  ]
}
