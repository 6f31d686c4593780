/// Files with the name of an image that are from other builds. The user hears of them, and they are
/// never used. So only the first ones are looked at: a report may have as many images of a name as
/// a directory has files.
enum OtherBuilds {
  /// How many are named for an image.
  static let limit = 100
  /// How many of a name are looked at, whatever their architectures.
  static let walkLimit = 1000
}
