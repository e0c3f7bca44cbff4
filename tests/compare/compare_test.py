"""What `cupel compare` prints of the files in inputs/, in any locale:  compare_test.py CUPEL [--update]"""

import gzip
import itertools
import json
import re

from program import HERE, ProgramTest, main

# name: (arguments, exit code). Inputs are in inputs/.
CASES = {
    "two.txt": (["before.json", "after.json"], 0),
    "legend.txt": (["before.json", "after.json", "--legend"], 0),
    "legend_alone.txt": (["--legend"], 0),
    "two.md": (["before.json", "after.json", "--format", "markdown"], 0),
    "two.csv": (["before.json", "after.json", "--format", "csv"], 0),
    "two.json": (["before.json", "after.json", "--format", "json"], 0),
    "two.html": (["before.json", "after.json", "--format", "html"], 0),
    "renamed.txt": (["before.json", "after.json", "--renames", "renames.json"], 0),
    "slower.txt": (["before.json", "--only", "slower", "after.json"], 0),
    "three.txt": (["before.json", "after.json", "h100.json", "--reference", "h100", "--sort", "ratio"], 0),
    "filter.txt": (["before.json", "after.json", "--filter", "size:[01]$"], 0),
    "no_match.txt": (["before.json", "after.json", "--filter", "no_such"], 5),
    "itself.txt": (["before.json", "before.json"], 0),
    "foreign.txt": (["foreign_before.json", "foreign_after.json"], 0),
    "nothing.txt": (["before.json", "foreign_after.json"], 5),
    "fleet.txt": (["--fleet", "fleet"], 1),
    "fleet_all.txt": (["--fleet", "fleet", "--all"], 1),
    "fleet_legend.txt": (["--fleet", "fleet", "--legend"], 1),
    "fleet.md": (["--fleet", "fleet", "--format", "markdown"], 1),
    "fleet_filter.txt": (["--fleet", "fleet", "--filter", "size:0$"], 1),
    "fleet_no_match.txt": (["--fleet", "fleet", "--filter", "no_such"], 5),
    "fleet_only.txt": (["--fleet", "fleet", "--only", "slower"], 2),
    "expect.txt": (["--fleet", "expect", "--expect", "node[1-6]"], 4),
    "expect.md": (["--fleet", "expect", "--expect", "node[1-6]", "--format", "markdown"], 4),
    "expect.csv": (["--fleet", "expect", "--expect", "node[1-6]", "--format", "csv"], 4),
    "expect.json": (["--fleet", "expect", "--expect", "node[1-6]", "--format", "json"], 4),
    "expect.html": (["--fleet", "expect", "--expect", "node[1-6]", "--format", "html"], 4),
    "expect_others.txt": (["--fleet", "fleet", "--expect", "node[1-5]"], 1),
    "expect_none.txt": (["--fleet", "fleet", "--expect", " ,"], 2),
    "expect_no_list.txt": (["--fleet", "fleet", "--expect", "node[1-"], 2),
    "expect_no_fleet.txt": (["before.json", "after.json", "--expect", "node1"], 2),
    "tolerance.txt": (["before.json", "after.json", "--tolerance", "2%", "--filter", "size:[01]$"], 0),
    "tolerance_share.txt": (["before.json", "after.json", "--tolerance", "0.01"], 2),
    "tolerance_too_wide.txt": (["before.json", "after.json", "--tolerance", "3"], 2),
    "unreadable.txt": (["before.json", "renames.json"], 2),
    "absent.txt": (["before.json", "absent.json"], 2),
}


def without_style(text):
    """A page less what stands in every page; its hash stays."""
    return re.sub(r"<(style|script)>.*?</\1>", r"<\1>...</\1>", text, flags=re.DOTALL)


class Compare(ProgramTest):
    def test_prints_what_it_is_to(self):
        for file in (HERE / "inputs").iterdir():
            (self.folder / file.name).symlink_to(file)
        for name, (arguments, code) in CASES.items():
            for locale in ("C", "de_DE.UTF-8"):
                with self.subTest(name, locale=locale):
                    ended = self.cupel("compare", *arguments, code=code, LC_ALL=locale, COLUMNS="")
                    self.assert_golden(without_style(ended.out) + ended.err, name)

    def nodes(self, count):
        """A folder of files of as many nodes, alike, each of a board of its own."""
        document = json.loads((HERE / "inputs" / "fleet" / "node1.json").read_text())
        for number in range(1, count + 1):
            document["context"]["cupel"]["device"]["uuid"] = f"GPU-{number:08}"
            self.file(f"nodes/n{number:02}.json", document)
        return document

    def fleet(self, *arguments, code=0, **more):
        return self.cupel("compare", "--fleet", self.folder / "nodes", *arguments, code=code, **more)

    def nodes_of_a_slow_family(self, slow):
        """Five nodes with 27 benchmarks of a family, which take so many times as long on the third."""
        document = self.nodes(5)
        first = document["benchmarks"][0]
        for number in range(1, 6):
            document["context"]["cupel"]["device"]["uuid"] = f"GPU-{number:08}"
            document["benchmarks"] = []
            for size, process in itertools.product(range(27), range(5)):
                row = json.loads(json.dumps(first)) | {"name": f"family0/operation/with_a_long_name/size:{size}"}
                row["cupel"]["process"] = process
                times = row["cupel"]["series"][0]["samples_s"]
                even = 1 + 1e-3 * ((7 * number + 3 * size + process) % 5)
                row["cupel"]["series"][0]["samples_s"] = [time * even * (slow if number == 3 else 1) for time in times]
                document["benchmarks"].append(row)
            self.file(f"nodes/n{number:02}.json", document)

    def test_says_a_slow_family_of_a_machine_in_one_row_and_ends_with_1(self):
        self.nodes_of_a_slow_family(1.1)
        ended = self.fleet(code=1, COLUMNS="80")
        lines = ended.out.splitlines()
        self.assertLess(len(lines), 12, ended.out)
        self.assertEqual([line.split()[:3] + line.split()[-2:] for line in lines if line.startswith("n03 ")],
                         [["n03", "family", "family0", "all", "27"]])
        self.assertIn("n03: nothing recorded explains it; run cupel doctor there", lines)
        self.assertIn("27 benchmarks stand out with their families: --all lists them.", lines)
        listed = self.fleet("--all", code=1).out
        self.assertEqual(listed.count("n03      benchmark"), 27)
        self.assertNotIn("--all", listed)
        self.assertRegex(self.fleet("--expect", "n[01-06]", code=1).out, "n06 +MISSING")

    def test_of_machines_alike_has_no_legend_since_there_is_no_table(self):
        self.nodes_of_a_slow_family(1.0)
        out = self.fleet().out
        self.assertIn("No outlier.", out)
        self.assertNotIn("--legend", out)

    def test_refuses_a_folder_without_results_and_says_what_it_takes(self):
        (self.folder / "nodes").mkdir()
        err = self.fleet(code=2).err
        self.assertIn("nodes: holds no .json file; --fleet takes a folder with a result file of each node", err)

    def test_of_two_nodes_says_how_many_it_takes(self):
        self.nodes(2)
        err = self.fleet(code=5).err
        self.assertIn("measure 3 nodes of one model at least, into a file each: cupel run --output ", err)
        self.assertIn("nodes/NODE.json", err)

    def test_of_files_without_a_benchmark_in_common_says_what_a_fleet_is_and_what_to_type(self):
        self.nodes(4)
        for path in sorted((self.folder / "nodes").iterdir()):
            document = json.loads(path.read_text())
            for row in document["benchmarks"]:
                row["name"] = row["run_name"] = f"{row['name']}/of:{path.stem[:3]}"
            self.file(f"nodes/{path.name}", document)
        ended = self.cupel("compare", "--fleet", "nodes", code=5)
        said = " ".join(ended.out.split())
        self.assertIn("Nothing could be judged: these machines measured different benchmarks, none of them on 3 machines.", said)
        self.assertNotIn("could not be judged", said)
        self.assertIn("--fleet wants the same benchmarks of 3 machines of one model or more, in a file each", ended.err)
        for command in ("cupel advise nodes", "cupel compare nodes OTHER"):
            self.assertIn(command, ended.err)

    def test_names_the_node_that_left_half_a_file_and_compares_the_others(self):
        self.nodes(12)
        half = self.folder / "nodes" / "n07.json"
        half.write_text(half.read_text()[:len(half.read_text()) // 2])
        for expected in ((), ("--expect", "n[01-12]")):
            ended = self.fleet(*expected, code=4)
            self.assertRegex(ended.out, r"n07 +INCOMPLETE +\S*n07.json")
            self.assertIn(": 11 machines", ended.out)
        self.assertIn("1 of 12 results is not whole.", self.fleet(code=4).out)
        nodes = json.loads(self.fleet("--format", "json", code=4).out)["nodes"]
        self.assertEqual([(one["node"], one["result"]) for one in nodes["absent"]], [("n07", "INCOMPLETE")])

    def make_busy(self, share):
        """In every file the rows of this share of the benchmarks are host times of threads that waited for a CPU."""
        for path in sorted((self.folder / "nodes").iterdir()):
            document = json.loads(path.read_text())
            names = sorted({row["name"] for row in document["benchmarks"]})
            for row in document["benchmarks"]:
                if names.index(row["name"]) >= share * len(names):
                    continue
                row["cupel"]["series"][0]["mode"] = "host"
                row["cupel"]["counters"] = {"cpu_wait": {"value": 0.5, "unit": "1"}}
            self.file(f"nodes/{path.name}", document)

    def test_gives_no_clean_bill_where_busy_machines_measured_most(self):
        self.nodes(4)
        self.make_busy(0.75)
        ended = self.fleet(code=6)
        said = " ".join(ended.out.split())
        self.assertIn("No outlier among the 1 of 4 benchmarks that could be judged.", said)
        self.assertIn("3 of 4 benchmarks could not be judged: 3 measured while threads waited for a CPU (busy machines).", said)
        self.assertIn("no clean bill, as fewer than half could be judged: end other programs on these machines, and measure again.", said)
        judged = json.loads(self.fleet("--format", "json", code=6).out)["fleets"][0]["judged"]
        self.assertEqual(judged, {"benchmarks": 4, "judged": 1, "enough": False, "not_judged": {"busy": 3}})

    def test_ends_well_where_half_could_be_judged_and_says_how_many(self):
        self.nodes(4)
        self.make_busy(0.5)
        self.assertIn("No outlier among the 2 of 4 benchmarks that could be judged.", self.fleet().out)

    def test_says_why_nothing_could_be_judged(self):
        self.nodes(4)
        self.make_busy(1)
        ended = self.fleet(code=5)
        self.assertIn("4 of 4 benchmarks could not be judged: 4 measured while", " ".join(ended.out.split()))
        self.assertIn("nothing could be judged", ended.err)
        self.assertNotIn("No outlier", ended.out)

    def test_says_that_folders_below_it_are_not_read(self):
        self.nodes(4)
        self.file("nodes/more/n05.json", {})
        self.assertIn("nodes: files in folders below it are not read: more", self.fleet().err)

    def test_names_half_a_file_beside_a_whole_one_of_the_same_node(self):
        self.nodes(4)
        whole = (self.folder / "nodes" / "n02.json").read_bytes()
        for files in ({"n02.json": whole[:-90], "n02.json.gz": gzip.compress(whole)},
                      {"n02.json": whole, "n02.json.gz": gzip.compress(whole)[:-90]}):
            broken = next(iter(files)) if files["n02.json"] != whole else "n02.json.gz"
            for name, content in files.items():
                self.file(f"nodes/{name}", content)
            with self.subTest(broken):
                self.assertRegex(self.fleet(code=4).out, rf"{broken} +INCOMPLETE")
                ended = self.fleet("--expect", "n[01-04]")
                self.assertIn("All 4 nodes expected are there, whole.", ended.out)
                self.assertIn(f"{broken}: cannot be read and does not count: ", ended.out)
                nodes = json.loads(self.fleet("--expect", "n[01-04]", "--format", "json").out)["nodes"]
                self.assertEqual([one["node"] for one in nodes["unreadable"]], [broken])

    def test_refuses_a_folder_of_which_nothing_can_be_read(self):
        self.file("nodes/n1.json", "{")
        self.assertIn("n1.json", self.fleet(code=2).err)

    def test_says_of_which_node_the_run_is_unfinished(self):
        document = self.nodes(4)
        document["context"]["cupel"]["run"] |= {"finished": "", "processes": 9}
        self.file("nodes/n04.json", document)
        self.assertRegex(self.fleet().out, r"n04 +INCOMPLETE +unfinished: \d of 9 processes")
        self.assertIn(": 4 machines", self.fleet().out)

    def test_counts_a_board_once_and_says_so(self):
        document = self.nodes(4)
        document["context"]["cupel"]["run"]["started"] = "2020-01-01T00:00:00Z"
        document["benchmarks"][0]["name"] += "/also"
        self.file("nodes/n04-old.json", document)
        ended = self.fleet()
        self.assertIn(": 4 machines", ended.out)
        said = " ".join(ended.out.split())
        self.assertIn("1 file is of a machine that another file has.", said)
        self.assertIn("n04-old: of the same board as n04 (GPU-00000004), which counts once by its newest result; 1 benchmark that "
                      "the newest lacks is added.", said)
        found = json.loads(self.fleet("--format", "json").out)
        self.assertEqual(found["same_boards"], [{"machine": "n04-old", "counted_as": "n04", "board": "GPU-00000004",
                                                 "benchmarks_added": 1}])
        self.assertEqual([len(fleet["machines"]) for fleet in found["fleets"]], [4])
        self.assertIn("n04-old,SAME-BOARD,n04", self.fleet("--format", "csv").out)
        for form in ("markdown", "html"):
            self.assertIn("n04-old", self.fleet("--format", form).out)


if __name__ == "__main__":
    main()
