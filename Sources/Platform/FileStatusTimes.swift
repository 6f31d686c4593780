extension stat {
  /// When the content was last changed.
  package var contentTime: timespec { st_mtim }

  /// When content, name, owner or permissions were last changed.
  package var changeTime: timespec { st_ctim }
}
