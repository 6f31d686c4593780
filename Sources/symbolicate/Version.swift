/// The version of this program, and nothing else: the Makefile reads this line.
let symbolicateVersion = "0.1.0"
