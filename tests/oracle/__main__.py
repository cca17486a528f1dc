"""python -m tests.oracle numbers|vectors|cases|random|generate"""

import argparse
import sys

from . import cases, generate, numbers, vectors


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.oracle")
    jobs = ("numbers", "vectors", "cases", "random", "generate")
    parser.add_argument("what", choices=jobs)
    parser.add_argument("--depth", type=int, default=3, help="deepest count of the printed numbers")
    arguments = parser.parse_args()
    if arguments.what == "generate":
        generate.write()
        return 0
    wrong = 0
    if arguments.what in ("numbers", "vectors"):
        wrong += numbers.check(arguments.depth)
    if arguments.what in ("vectors", "random"):
        wrong += vectors.check(arguments.what)
    if arguments.what == "cases":
        wrong += cases.check()
    print(f"{wrong} differences" if wrong else "all as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
