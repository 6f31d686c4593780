package import SymbolicationModel
import Wording

extension AtosSession.ArchitectureChoice {
  /// One sentence: which slice is used, and what else there is.
  package var message: String {
    let names = available.map(\.name).joined(separator: ", ")
    return
      "\(path) has slices for \(names); using \(chosen), choose another with -arch"
      .withoutControlCharacters
  }
}

extension AtosSession.OpeningError {
  /// Apple's sentence, which scripts look for. The reason is the message of `problem`.
  ///
  /// - Parameter architecture: the one asked for, or that of this machine.
  package func message(architecture: Architecture) -> String {
    "atos cannot load symbols for the file \(path) for architecture \(architecture)."
  }
}

extension AtosSession.AddressOutside {
  /// One sentence: where the images are, and what may be missing.
  package var message: String {
    let places = images.map { image in
      "\(image.name) (\(image.start.hexadecimal)-\(image.end.hexadecimal))"
    }
    return
      "\(address.hexadecimal) is not in \(places.joined(separator: " or ")); is -l LOAD_ADDRESS missing?"
      .withoutControlCharacters
  }
}
