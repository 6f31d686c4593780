import Wording

/// Functions of runtimes that touch the memory of an object: they send messages, count references
/// and destroy what nobody refers to any more. A fault in them shows that the object was freed or
/// overwritten before.
package enum ObjectFunctions {
  /// Whether a function uses an object as its caller asks. All but those that ``readsVariable(_:)``
  /// names accept null.
  package static func use(_ function: String?) -> Bool {
    function.map { name in
      starts.contains { name.hasPrefix($0) } || countsReferences(name)
        || functions.contains { name == $0 || name.hasPrefix($0 + "$") }
        || countingFunctions.contains(name.prefix { $0 != "(" })
    } ?? false
  }

  /// Whether it looks up in the object's class what destroys the object, or what a message calls.
  /// What it calls then may fail for other reasons.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/HeapObject.cpp;
  /// apple-oss-distributions/objc4, runtime/objc-runtime-new.mm and objc-class.mm.
  package static func destroy(_ function: String?) -> Bool {
    function.map { destroyers.contains($0.prefix { $0 != "(" }) } ?? false
  }

  /// Whether it makes a class ready for its first message. What it reads and writes is the class,
  /// and the message may go to the class itself.
  ///
  /// Source: apple-oss-distributions/objc4, runtime/objc-runtime-new.mm, objc-initialize.mm.
  package static func setUpClass(_ function: String?) -> Bool {
    function.map { name in classSetters.contains { name.hasPrefixBytes($0) } } ?? false
  }

  /// Whether it is one of those of Swift's runtime, whose names nobody else's functions have.
  package static func areOfSwift(_ function: String?) -> Bool {
    guard let name = function else { return false }
    // Hardly any function begins with these characters.
    switch name.utf8.first {
    case UInt8(ascii: "s"), UInt8(ascii: "_"): break
    default: return false
    }
    return (name.hasPrefixBytes("swift_") || name.hasPrefixBytes("_swift_"))
      && (use(name) || destroy(name) || name == "swift_arrayDestroy")
  }

  /// Whether a name is where `swift_retain` and `swift_release` go if the count is not in the
  /// object.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/RefCount.cpp.
  package static func countsReferences(_ function: String) -> Bool {
    // A template's name has the type of its result in front.
    function.hasBytes(of: "swift::RefCounts<") && function.hasBytes(of: "Slow")
  }

  /// Whether it does not accept null, or reads the variable first that holds the object.
  package static func readsVariable(_ function: String) -> Bool {
    ofVariables.contains { function.hasPrefix($0) }
  }

  /// Compilers call functions for each register: `objc_release_x0`.
  private static let starts = [
    "objc_msgSend", "objc_retain", "objc_release", "objc_object::", "objc_autoreleasePoolPop",
    "AutoreleasePoolPage::", "(anonymous namespace)::AutoreleasePoolPage::", "_Block_release",
    "_Block_copy", "_Block_object_dispose", "weak_clear_no_lock",
  ]

  private static let functions =
    [
      // It looks for the method in the object's class.
      "_objc_msgSend_uncached", "objc_autorelease", "objc_autoreleaseReturnValue",
      "objc_opt_class", "objc_opt_respondsToSelector", "objc_opt_isKindOfClass", "objc_opt_self",
      "object_getClass", "object_getClassName", "object_isClass", "_objc_rootRelease",
      "_objc_rootRetain", "swift_retain", "swift_release", "swift_unknownObjectRetain",
      "swift_unknownObjectRelease", "swift_bridgeObjectRetain", "swift_bridgeObjectRelease",
      "CFRelease", "CFRetain",
    ] + ofVariables

  private static let ofVariables = [
    "objc_storeStrong", "objc_storeWeak", "objc_loadWeak", "objc_loadWeakRetained",
    "objc_destroyWeak", "objc_copyWeak", "objc_moveWeak", "swift_weakLoadStrong",
    "swift_unknownObjectWeakLoadStrong", "swift_getObjectType",
  ]

  /// What Swift's and Core Foundation's functions call that count references, and what counts
  /// several at once. All accept null.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/HeapObject.cpp, SwiftObject.mm;
  /// swiftlang/swift-corelibs-foundation, CFRuntime.c.
  private static let countingFunctions: Set<Substring> = [
    "_swift_retain_", "_swift_release_", "_swift_retain_n_", "_swift_release_n_",
    "swift_retain_n", "swift_release_n", "swift_bridgeObjectRetain_n",
    "swift_bridgeObjectRelease_n", "swift_unknownObjectRetain_n", "swift_unknownObjectRelease_n",
    "swift_nonatomic_retain", "swift_nonatomic_release", "_CFRetain", "_CFRelease",
  ]

  private static let destroyers: Set<Substring> = [
    "_swift_release_dealloc", "objc_destructInstance", "object_cxxDestructFromClass",
    "lookUpImpOrForward",
  ]

  private static let classSetters = [
    "realizeClass", "realizeAndInitialize", "_class_getNonMetaClass", "getMaybeUnrealizedNonMeta",
    "_class_initialize", "class_initialize", "initializeNonMetaClass", "initializeAndLeaveLocked",
    "initializeAndMaybeRelock", "methodizeClass", "reconcileInstanceVariables",
  ]
}
