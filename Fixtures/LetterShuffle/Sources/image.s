; The shape of the image. The text section starts at a page of its own, and there is data that is
; only room: with it the image is as large as the report's, 0x44000 bytes.
.section __TEXT,__text,regular,pure_instructions
.globl _text_start
.p2align 14
_text_start:
  ret
.globl _letterTiles
.zerofill __DATA,__bss,_letterTiles,0x10000,14
.subsections_via_symbols
