"""Every benchmark of this build, in every profile, is explained, with the advice that it belongs to."""

import json
import re

from program import ProgramTest, main


class Explained(ProgramTest):
    def test_by_its_name_and_by_its_advice(self):
        listed = self.cupel("list", "--full", "--format", "json", code=0, CUPEL_BENCH_DIR="")
        advice = {}  # without the values of parameters, which explain nothing more
        for listing in json.loads(listed.out):
            for benchmark in listing["benchmarks"]:
                operation = benchmark["name"].split(":")[0].rpartition("/")[0] if ":" in benchmark["name"] else benchmark["name"]
                advice.setdefault(operation, set()).update(tag["id"] for tag in benchmark["advice"])
        self.assertTrue(advice)
        for operation, ids in advice.items():
            with self.subTest(operation):
                explained = self.cupel("explain", operation)
                self.assertEqual(explained.code, 0, "docs/explain has no section for it")
                said = re.search(r"^advice: (.*?)^$", explained.out, re.M | re.S)  # of several lines, where there are many
                known = set(said[1].replace("\n", " ").split()) if said else set()
                known = {one.rstrip(",") for one in known}
                self.assertLessEqual(ids, known, "the section's line of advice lacks some")


if __name__ == "__main__":
    main()
