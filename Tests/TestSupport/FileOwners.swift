import Foundation

public enum FileOwners {
  /// Whether this process may give files to other users: only the superuser may, and in a user
  /// namespace only to users whom it knows.
  public static let canBeChanged: Bool = {
    guard geteuid() == 0, let directory = try? TemporaryDirectory(),
      let path = try? directory.write([], to: "file")
    else { return false }
    return unsafe chown(path, 65534, 65534) == 0
  }()
}
