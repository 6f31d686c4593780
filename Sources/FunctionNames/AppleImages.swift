/// Names of images that only Apple's systems have. They decide whose a frame is if the text has
/// neither the path of its image nor an address that says so: a stack that was pasted without
/// `Binary Images`.
///
/// A name with `lib` in front proves nothing, because programs bring libraries of their own.
///
/// Source: the folders /System/Library/{Frameworks,PrivateFrameworks} and /usr/lib of macOS and of
/// iOS, as reports list them.
package enum AppleImages {
  package static func isOne(_ name: String) -> Bool {
    if name.hasPrefix("com.apple.") || frameworks.contains(name) || libraries.contains(name) {
      return true
    }
    return libraryStarts.contains { name.hasPrefix($0) } && name.hasSuffix(".dylib")
      || graphicsDriverStarts.contains { name.hasPrefix($0) }
  }

  /// What the names of graphics drivers begin with; the chip follows. Their folder is
  /// /System/Library/Extensions.
  private static let graphicsDriverStarts = [
    "AGXMetal", "AGXGL", "AMDMTL", "AMDRadeonX", "ATIRadeonX", "AppleIntel", "AppleMetalGL",
    "AppleMetalOpenGL", "AppleParavirtGPU", "GPUSupport", "GeForceGL", "GeForceMTL", "GeForceVA",
    "IMGSGX",
  ]

  private static let libraryStarts = [
    "libsystem_", "libswift", "libobjc", "libc++", "libicucore", "libsqlite3.", "libxml2.",
    "libxslt.", "libz.", "libbz2.", "libcurl.", "libiconv.", "libnetwork", "libdispatch",
    "libxpc", "libdyld", "libSystem.", "libquic", "libboringssl", "libcoretls", "libusrtcp",
    "libresolv.", "libnotify", "libmecab", "libpcap.A", "libsandbox", "libAudio", "libEmbedded",
    "libcommonCrypto", "libcorecrypto", "libcopyfile", "libremovefile", "libmacho", "libunwind.",
    "libcache", "libkeymgr", "libcompiler_rt", "libGFXShared", "libGL", "libGPU", "libCVMS",
    "libCoreFSCache", "libCoreVMClient", "libFontParser", "libBLAS", "libLAPACK", "libvDSP",
    "libvMisc", "libBNNS", "libSparse", "libLinearAlgebra", "libQuadrature", "libRIP",
    "libCGInterfaces",
    "libMobileGestalt", "libMTLCapture", "libMTLHud", "libBacktraceRecording",
    "libMainThreadChecker", "libViewDebuggerSupport", "libsystemstats", "libspindump", "libstdc++.",
  ]

  private static let libraries: Set = [
    "dyld", "dyld_sim", "mach_kernel", "kernel", "launchd", "xpcproxy", "libpmenergy.dylib",
    "libheimdal-asn1.dylib",
    "libarchive.2.dylib", "libcsfde.dylib", "libcups.2.dylib", "libffi.dylib", "libate.dylib",
    "libapple_nghttp2.dylib", "libMobileAssetDaemon.dylib", "libAccessibility.dylib",
    "libAVFAudio.dylib", "libRosettaRuntime", "libRosettaAot",
  ]

  private static let frameworks: Set = [
    "AE", "APTransport", "AVFAudio", "AVFCapture", "AVFCore", "AVFoundation", "AVKit",
    "AXCoreUtilities", "AXRuntime", "Accelerate", "Accessibility", "AccessibilityUtilities",
    "Accounts", "AddressBook", "AggregateDictionary", "AppKit", "AppSupport", "AppleAccount",
    "AppleJPEG", "AppleMediaServices", "ApplePushService",
    "AssertionServices", "AttributeGraph", "AudioToolbox", "AudioToolboxCore",
    "AudioUnit", "AuthKit",
    "AuthenticationServices", "BackBoardServices", "BaseBoard", "BoardServices", "Bom", "CFNetwork",
    "CallKit", "CarPlay", "Carbon", "CarbonCore", "Celestial", "ChatKit", "ChronoServices",
    "ClockKit", "CloudDocsDaemon", "CloudKit", "ColorSync", "Combine", "CommonUtilities",
    "Contacts", "CoreAnimation", "CoreAudio", "CoreAutoLayout", "CoreBluetooth", "CoreBrightness",
    "CoreData", "CoreDisplay", "CoreEmoji", "CoreFoundation", "CoreGraphics", "CoreHaptics",
    "CoreImage", "CoreLocation", "CoreMIDI", "CoreML", "CoreMedia", "CoreMediaIO", "CoreMotion",
    "CoreNFC", "CoreServices", "CoreServicesInternal", "CoreServicesStore", "CoreSpotlight",
    "CoreTelephony", "CoreText", "CoreTransferable", "CoreUI", "CoreUtils", "CoreVideo", "CoreWLAN",
    "CrashReporterSupport", "DVTFoundation", "DataDetectorsCore", "DeviceCheck",
    "DictionaryServices", "DiskArbitration", "DocumentManager", "Espresso", "EventKit",
    "ExceptionHandling", "ExtensionFoundation", "ExtensionKit", "FaceCore", "FileProvider",
    "Foundation", "FrontBoard", "FrontBoardServices", "GLEngine", "GLKit", "GLRendererFloat",
    "GameController", "GameKit", "GeoServices", "GraphicsServices", "HIServices", "HIToolbox",
    "HealthKit", "IDEKit", "IMCore", "IMFoundation", "IOAccelerator", "IOBluetooth", "IOGPU",
    "IOHIDFamily", "IOKit", "IOMobileFramebuffer", "IOSurface", "ImageIO", "Intents",
    "JavaScriptCore", "LaunchServices", "LocalAuthentication", "ManagedConfiguration", "MapKit",
    "MediaAccessibility", "MediaPlayer", "MediaRemote", "MediaToolbox", "MessageUI", "Metal",
    "MetalKit", "MetalPerformanceShaders", "MetalPerformanceShadersGraph", "MetalTools",
    "MobileCoreServices", "MobileInstallation", "MobileKeyBag", "ModelIO", "MultitouchSupport",
    "NanoTimeKit", "NaturalLanguage", "Network", "NetworkExtension", "OSAnalytics", "OpenAL",
    "OpenDirectory", "OpenGL", "OpenGLES", "PDFKit", "PassKitCore", "PencilKit",
    "PersistentConnection", "Photos", "PhotosUI", "PineBoard", "PlugInKit", "PrintCore",
    "ProtocolBuffer", "PushKit", "QuartzCore", "QuickLook", "QuickLookUI", "RealityFoundation",
    "RealityKit", "RemoteViewServices", "RenderBox", "RunningBoardServices", "SafariServices",
    "SceneKit", "ScreenCaptureKit", "Security", "SecurityFoundation", "ServiceManagement",
    "SkyLight", "SoundAnalysis", "Speech", "SpeechRecognition", "SpringBoard", "SpringBoardHome",
    "SpringBoardServices", "SpriteKit", "StoreKit", "SwiftData", "SwiftUI", "SwiftUICore",
    "Symbolication", "Symptoms", "SystemConfiguration", "TCC", "TextInput", "TextInputCore",
    "Translation", "UIFoundation", "UIKit", "UIKitCore", "UIKitMacHelper", "UserNotifications",
    "VectorKit", "VideoToolbox", "ViewBridge", "Vision", "WatchConnectivity", "WatchKit", "WebCore",
    "WebGPU", "WebKit", "WebKitLegacy", "WidgetKit", "XCTAutomationSupport", "XCTest", "XCTestCore",
    "XCUIAutomation", "caulk", "csparser", "iTunesLibrary", "vImage", "vecLib",
  ]
}

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

  /// Whether a class has such a prefix, with a word behind it.
  static func isOne(_ name: Substring) -> Bool {
    let prefix = name.prefix(while: \.isUppercase).dropLast()
    return prefix.utf8.count < name.utf8.count - 1 && !name.utf8.contains(UInt8(ascii: "."))
      && (["NS", "UI"].contains(prefix) || prefixes.contains(prefix))
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
    // Of Core Animation and GraphicsServices.
    "CA::", "run_animation_callbacks", "GSEvent",
  ]
}
