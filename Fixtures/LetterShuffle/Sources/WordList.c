/* A C unit of the app; not on the stack. */

unsigned word_checksum(const unsigned char *word, unsigned length) {
  unsigned sum = 5381;
  for (unsigned i = 0; i < length; i++)
    sum = sum * 33 ^ word[i];
  return sum;
}
