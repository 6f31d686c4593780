#!/bin/bash
# Makes an archive as Xcode made it for apps with bitcode: the dSYM of Inlines with its names hidden,
# and the symbol map that has them, under the UUID that the dSYM's property list states.
. "$(dirname "$0")/../common.sh"
need python3

archive=$FIXTURES/Bitcode/Inlines.xcarchive
resources=$archive/dSYMs/Inlines.dSYM/Contents/Resources
rm -rf "$archive"
mkdir -p "$resources/DWARF" "$archive/BCSymbolMaps"
python3 "$FIXTURES/Tools/hide_names.py" "$FIXTURES/Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines" \
  "$resources/DWARF/Inlines" "$archive/BCSymbolMaps/0B17C0DE-0000-3000-8000-00000000C0DE.bcsymbolmap"
# Every fixture has a UUID of its own.
python3 "$FIXTURES/Tools/set_identity.py" "$resources/DWARF/Inlines" --uuid 0B17C0DE-5555-3144-A174-35F176083CD8
cat >"$resources/0B17C0DE-5555-3144-A174-35F176083CD8.plist" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>DBGOriginalUUID</key>
	<string>0b17c0de-0000-3000-8000-00000000c0de</string>
</dict>
</plist>
END
