// Mach-O and ELF containers.
