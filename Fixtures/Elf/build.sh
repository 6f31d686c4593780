#!/bin/bash
# Builds ELF images with DWARF inside, compressed, or in separate files. See ../README.md.
. "$(dirname "$0")/../common.sh"
need clang gcc swiftc ld.lld-19 llvm-objcopy-19 objcopy nm xz
scratch

HERE=$FIXTURES/Elf
PREFIX=/home/builder/shapes
C=(-O2 -g -ffreestanding -fno-stack-protector)
LINK=(--build-id=sha1 --hash-style=gnu)

keep() {
  cp "$SCRATCH/$1" "$HERE/$1"
  chmod 644 "$HERE/$1"
  built "$HERE/$1"
}

# objects FOLDER COMPILER OPTION...
objects() {
  shapes_objects "$SCRATCH/$1" "${@:2}" "${C[@]}" -fdebug-prefix-map="$FIXTURES/Shapes/Sources=$PREFIX"
}

# link FOLDER OUTPUT OPTION...: with lld.
link() {
  (cd "$SCRATCH/$1" && ld.lld-19 "${LINK[@]}" "${@:3}" "${SHAPES[@]/%/.o}" -o "$SCRATCH/$2")
  keep "$2"
}

libraries() {
  objects shared clang -target x86_64-linux-gnu -gdwarf-5 -fPIC
  link shared libshapes.elf -shared -soname libshapes
  link shared libshapes-zlib.elf -shared -soname libshapes --compress-debug-sections=zlib
  link shared libshapes-zstd.elf -shared -soname libshapes --compress-debug-sections=zstd
}

# The same library as distributions ship it; all have the build-id of libshapes.elf.
split_library() {
  cd "$SCRATCH"
  llvm-objcopy-19 --strip-debug libshapes.elf libshapes-nodebug.elf
  llvm-objcopy-19 --only-keep-debug libshapes.elf libshapes.debug
  llvm-objcopy-19 --strip-all --add-gnu-debuglink=libshapes.debug libshapes.elf libshapes-stripped.elf
  # MiniDebugInfo: only a symbol table, compressed with xz, inside a stripped library.
  llvm-objcopy-19 --strip-debug --only-keep-debug libshapes.elf minidebug
  xz --format=xz --check=crc64 -9 --stdout minidebug >minidebug.xz
  llvm-objcopy-19 --strip-all --add-section=.gnu_debugdata=minidebug.xz libshapes.elf libshapes-minidebug.elf
  # The same as Fedora does it (find-debuginfo; "MiniDebugInfo" in GDB's documentation): only functions that
  # are not in .dynsym.
  nm -D libshapes.elf --format=posix --defined-only | awk '{ print $1 }' | sort >dynamic
  nm libshapes.elf --format=posix --defined-only | awk '{ if ($2 == "T" || $2 == "t" || $2 == "D") print $1 }' |
    sort >functions
  comm -13 dynamic functions >kept
  objcopy --only-keep-debug libshapes.elf fedora.debug
  objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=kept fedora.debug fedora
  xz --format=xz --check=crc32 -9 --stdout fedora >fedora.xz
  objcopy --strip-all --remove-section .comment --add-section .gnu_debugdata=fedora.xz libshapes.elf \
    libshapes-minidebug-fedora.elf
  local name
  for name in libshapes-nodebug.elf libshapes.debug libshapes-stripped.elf libshapes-minidebug.elf \
    libshapes-minidebug-fedora.elf; do keep "$name"; done
}

programs() {
  objects pie clang -target x86_64-linux-gnu -gdwarf-5 -fPIE -DFREESTANDING
  link pie shapes-pie.elf -pie --no-dynamic-linker
  objects fixed clang -target x86_64-linux-gnu -gdwarf-5 -fno-pie -DFREESTANDING
  link fixed shapes-fixed.elf --image-base=0x400000
  objects aarch64 clang -target aarch64-linux-gnu -gdwarf-5 -fPIE -DFREESTANDING
  link aarch64 shapes-aarch64.elf -pie --no-dynamic-linker
}

# gcc and GNU ld: the cold part of area_of is in .text.unlikely, far from its function.
gcc_program() {
  objects gcc gcc -gdwarf-5 -freorder-blocks-and-partition -fcf-protection=none -fno-pie -DFREESTANDING
  (cd "$SCRATCH/gcc" && gcc -nostdlib -static -no-pie -Wl,--build-id=sha1 "${SHAPES[@]/%/.o}" -o "$SCRATCH/shapes-gcc.elf")
  keep shapes-gcc.elf
}

# A program without a build-id, whose debug file is identified by its checksum: made by GNU objcopy as the
# GDB manual describes ("Separate Debug Files").
separate_program() {
  cd "$SCRATCH/gcc"
  gcc -nostdlib -static -no-pie -Wl,--build-id=none "${SHAPES[@]/%/.o}" -o separate
  objcopy --only-keep-debug separate shapes-separate.debug
  objcopy --strip-debug --add-gnu-debuglink=shapes-separate.debug separate shapes-separate.elf
  cp shapes-separate.debug shapes-separate.elf "$SCRATCH"
  keep shapes-separate.debug
  keep shapes-separate.elf
}

swift_program() {
  local toolchain
  toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
  mkdir "$SCRATCH/clerk"
  cp "$HERE"/Sources/*.swift "$SCRATCH/clerk"
  cd "$SCRATCH/clerk"
  swiftc -O -g -wmo -module-name Clerk -c Ledger.swift main.swift -o Clerk.o -file-compilation-dir /home/builder/clerk \
    -debug-prefix-map "$PWD=/home/builder/clerk" -debug-prefix-map "$toolchain=/toolchain" \
    -module-cache-path "$SCRATCH/cache" -Xfrontend -no-clang-module-breadcrumbs
  llvm-objcopy-19 --remove-section=.swift_modhash Clerk.o   # a hash of the compiler's arguments too
  swiftc Clerk.o -o "$SCRATCH/clerk-swift.elf" -no-toolchain-stdlib-rpath -use-ld=lld -Xlinker --build-id=sha1
  keep clerk-swift.elf
}

libraries
split_library
programs
gcc_program
separate_program
swift_program
