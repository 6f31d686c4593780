/// `.ips` reports written by hand, spelt as the writers of real ones spell them.
enum IpsText {
  static let header =
    #"{"app_name":"App","bug_type":"309","platform":2,"os_version":"iPhone OS 16.0 (20A362)","incident_id":"I"}"#

  /// As Apple's writer spells it: each thread and frame on one line, the rest on lines with ` : `,
  /// and slashes escaped.
  static let appleBody = #"""
    {
      "uptime" : 25000,
      "procRole" : "Foreground",
      "modelCode" : "iPhone14,2",
      "osVersion" : {
        "isEmbedded" : true,
        "train" : "iPhone OS 16.0",
        "build" : "20A362"
      },
      "captureTime" : "2022-08-04 01:11:01.2455 +0900",
      "incident" : "6251125F",
      "bug_type" : "309",
      "pid" : 1730,
      "translated" : false,
      "cpuType" : "ARM-64",
      "procName" : "App",
      "procPath" : "\/private\/var\/App.app\/App",
      "bundleInfo" : {"CFBundleShortVersionString":"1.0","CFBundleVersion":"7","CFBundleIdentifier":"com.example.App"},
      "parentProc" : "launchd",
      "parentPid" : 1,
      "crashReporterKey" : "K",
      "exception" : {"codes":"0x1, 0x2","rawCodes":[1,18446744073709551615],"message":"m","type":"EXC_BREAKPOINT","signal":"SIGTRAP","subtype":"S"},
      "termination" : {"flags":0,"code":5,"namespace":"SIGNAL","indicator":"Trace\/BPT trap: 5"},
      "asiBacktraces" : ["0   A\t0x1010 f + 1\n1   B\t0x2010 g + 2\n","\u00e9"],
      "lastExceptionBacktrace" : [{"imageOffset":48,"imageIndex":1}],
      "faultingThread" : 1,
      "threads" : [{"id":207731,"name":"n","frames":[]},{"triggered":true,"id":207732,"threadState":{"x":[{"value":9223372041157978160,"symbol":"s"}]},"queue":"com.apple.main-thread","frames":[{"imageOffset":236404,"symbol":"main","symbolLocation":8,"imageIndex":0},{"imageOffset":9007199254740993,"imageIndex":1},{"imageOffset":16,"sourceLine":10,"sourceFile":"main.swift","symbol":"f(_:)","imageIndex":1,"symbolLocation":180},{"imageOffset":32,"sourceFile":"vector","symbol":"a\nb","imageIndex":1,"symbolLocation":0,"inline":true}]}],
      "usedImages" : [
      {
        "source" : "P",
        "arch" : "arm64e",
        "base" : 7207194624,
        "size" : 5337088,
        "uuid" : "178beeaf-85dc-35a7-b02c-b951eba169ce",
        "path" : "\/usr\/lib\/libA.dylib",
        "name" : "libA.dylib"
      },
      {
        "source" : "P",
        "arch" : "arm64",
        "base" : 4303175680,
        "CFBundleShortVersionString" : "1.0",
        "CFBundleIdentifier" : "com.example.App",
        "size" : 32768,
        "uuid" : "82d13d98-219e-3040-b62a-07a297007a7c",
        "path" : "\/private\/var\/App.app\/App",
        "name" : "App",
        "CFBundleVersion" : "7"
      },
      {
        "size" : 0,
        "source" : "A",
        "base" : 0,
        "uuid" : "00000000-0000-0000-0000-000000000000"
      }
    ],
      "vmSummary" : "ReadOnly portion"
    }
    """#

  static let apple = header + "\n" + appleBody + "\n"

  /// As tools spell it that read a report and write it again.
  static let prettyBody = #"""
    {
      "procName": "App",
      "lastExceptionBacktrace": [
        {
          "imageOffset": 16,
          "imageIndex": 0
        }
      ],
      "threads": [
        {
          "triggered": true,
          "frames": [
            {
              "imageOffset": 1277216,
              "imageIndex": 0
            },
            {
              "imageOffset": 3148,
              "symbol": "<redacted>",
              "symbolLocation": 4,
              "imageIndex": 0
            }
          ]
        }
      ],
      "usedImages": [
        {
          "source": "P",
          "base": 4096,
          "size": 2000000,
          "uuid": "82d13d98-219e-3040-b62a-07a297007a7c",
          "name": "App"
        }
      ]
    }
    """#

  /// A body on one line with these frames in one thread, and an image at 0x1000.
  static func body(frames: String) -> String {
    #"{"threads":[{"frames":["# + frames
      + #"]}],"usedImages":[{"source":"P","base":4096,"size":4096,"name":"A"}]}"#
  }
}
