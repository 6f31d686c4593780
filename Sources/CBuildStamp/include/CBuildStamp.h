/* The commit that the program was built from and its date, such as "4e1695a4b2c1, 2026-11-23"; empty
   if the build did not state it. */
const char *_Nonnull symbolicate_build_stamp(void);
