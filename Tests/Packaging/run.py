#!/usr/bin/env python3
"""Runs the tests of packaging: run.py NAME… for test_NAME.py in this folder, with the programs in the
folder PROGRAMS. The last line has the counts."""

import sys
import unittest

if __name__ == "__main__":
    sys.path.insert(0, __file__.rsplit("/", 1)[0])
    suite = unittest.defaultTestLoader.loadTestsFromNames("test_" + name for name in sys.argv[1:])
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    # A test with subtests fails once.
    bad = len({str(getattr(test, "test_case", test)) for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - bad - len(result.skipped)} passed, {bad} failed, "
          f"{len(result.skipped)} skipped")
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
