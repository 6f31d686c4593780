// As in libsystem_platform: the kernel enters at __sigtramp, which calls the handler and goes back to the
// kernel when that returns.
  .text
  .globl __platform_memmove
  .p2align 2
__platform_memmove:
  ret

  .globl __sigtramp
  .p2align 2
__sigtramp:
  stp x29, x30, [sp, #-16]!
  mov x29, sp
  blr x0
  mov w8, #184
  svc #0x80
