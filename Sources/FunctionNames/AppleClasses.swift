/// Classes and functions that only Apple's frameworks have, by how their names begin. They decide
/// whose a frame is if the text names no image for it.
///
/// Source: developer.apple.com, "Programming with Objective-C", Conventions: prefixes of two
/// letters are reserved for frameworks. Programs have such prefixes all the same, so these are
/// those of public frameworks.
package enum AppleClasses {
  /// Whether such a class has the method; nil if the function is not a method of Objective-C.
  ///
  /// - Parameter function: `-[NSView(Layout) layout]`, also as part of the name of a block.
  package static func hasMethod(_ function: String) -> Bool? {
    FunctionName.className(in: Substring(function)).map { name in
      if ["_", "NS", "UI", "OS_", "Web"].contains(where: { name.hasPrefix($0) }) { return true }
      // `CLLocation`, and not `CLIEvent`.
      return prefixes.contains(name.prefix(while: \.isUppercase).dropLast())
    }
  }

  /// Whether a function is the runtime's or a framework's.
  package static func hasFunction(_ function: String) -> Bool {
    hasMethod(function) ?? functionStarts.contains { function.hasPrefix($0) }
  }

  private static let prefixes: Set<Substring> = [
    "CA", "CF", "WK", "AV", "CL", "MK", "SK", "CK", "HK", "MTL", "MTK", "GK", "SCN", "PH", "PK",
    "UN", "EK", "CN", "CB", "CT", "NE", "NW", "QL", "XC", "IK", "PDF", "AX", "BK", "BS", "FBS",
    "LS", "IM", "GEO", "SF", "CI",
  ]

  private static let functionStarts = [
    "objc_", "_objc_", "swift_", "_swift_", "_dispatch_", "_Block_", "CF", "__CF", "_CF",
    "NSApplicationMain", "UIApplicationMain",
  ]
}
