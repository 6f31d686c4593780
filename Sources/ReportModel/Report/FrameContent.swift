import JsonReading

/// What a frame line says after the address.
public enum FrameContent: Hashable, Sendable {
  /// `0x1ed1fd000 + 372392`. The base is 0 if the writer knew no image (`0 + 70368744177778`).
  case unsymbolicated(ImageRelativeAddress)
  /// `pthread_kill + 268 (pthread.c:1721)`.
  case symbolicated(FrameSymbol)
  /// Image and symbol side by side: `0x3617c000 + 72220 (__pthread_kill + 8)`, as KSCrash writes
  /// it, and `0x10002c000 + 0x20dd8 // sym + 0x80`, as the crash reporter of jailbroken devices
  /// does.
  case sideBySide(ImageRelativeAddress, symbol: FrameSymbol)
  /// `-[MyClass crashingMethod] (in CrashingTest) (MyClass.m:20)`: output of `atos`, pasted into
  /// the line.
  case atos(FrameSymbol, imageName: String)
  /// `???`, or `? + 4373061536`: the writer says that it knows nothing.
  case unknown
  /// None of these. The text is in ``FrameLine/contentRange``.
  case unparsed

  /// `LOAD + OFFSET`, if the line states it.
  public var imageRelativeAddress: ImageRelativeAddress? {
    switch self {
    case .unsymbolicated(let address), .sideBySide(let address, _): address
    case .symbolicated, .atos, .unknown, .unparsed: nil
    }
  }

  /// The symbol, whichever way the line shows it.
  public var symbol: FrameSymbol? {
    switch self {
    case .symbolicated(let symbol), .sideBySide(_, let symbol), .atos(let symbol, _): symbol
    case .unsymbolicated, .unknown, .unparsed: nil
    }
  }
}
