"""Every benchmark of this build, in every profile, is explained, with the advice that it belongs to."""

import json
import subprocess
import sys
import unittest

CUPEL = sys.argv[1]


def cupel(*arguments):
    return subprocess.run([CUPEL, *arguments], capture_output=True, text=True, check=False)


class Explained(unittest.TestCase):
    def test_by_its_name_and_by_its_advice(self):
        listed = cupel("list", "--full", "--format", "json")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        advice = {}  # without the values of parameters, which explain nothing more
        for listing in json.loads(listed.stdout):
            for benchmark in listing["benchmarks"]:
                operation = benchmark["name"].split(":")[0].rpartition("/")[0] if ":" in benchmark["name"] else benchmark["name"]
                advice.setdefault(operation, set()).update(tag["id"] for tag in benchmark["advice"])
        self.assertTrue(advice)
        for operation, ids in advice.items():
            with self.subTest(operation):
                explained = cupel("explain", operation)
                self.assertEqual(explained.returncode, 0, "docs/explain has no section for it")
                said = [line for line in explained.stdout.splitlines() if line.startswith("advice: ")]
                known = set(said[0].removeprefix("advice: ").split(", ")) if said else set()
                self.assertLessEqual(ids, known, "the section's line of advice lacks some")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
