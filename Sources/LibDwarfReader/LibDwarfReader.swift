// The DWARF reader over libdwarf.
