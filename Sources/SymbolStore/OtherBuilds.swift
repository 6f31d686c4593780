/// Files of an image's name that are of other builds. They are told to the user and never used, so
/// of many only the first are looked at: a report may have as many images of a name as a directory
/// has files.
enum OtherBuilds {
  /// How many are told of an image.
  static let limit = 100
  /// How many of a name are looked at, whatever their architectures.
  static let walkLimit = 1000
}
