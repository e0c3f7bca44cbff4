"""ci/check-foretell-pytorch without PyTorch: which gains count, what is said of them, and when it ends with 1."""

import json

from program import FolderTest, load_script, main

check = load_script("check-foretell-pytorch")

CUPEL = """#!/usr/bin/env python3
import json
def piece(name, **more): return {"piece": name, "standing": "foretold", **more}
def told(name, gain, low, high): return piece(name, gain_s=gain, gain_low_s=low, gain_high_s=high)
print(json.dumps({"steps": [{"pieces": [
    told("pinned_copies", 0.002, 0.001, 0.003), told("no_wait", TOLD, 0.001, 0.002), told("tf32", -0.004, -0.005, -0.003),
    piece("amp", standing="silent", reason="never right"), piece("channels_last", standing="on"),
    told("fused_optimizer", 0.001, 0.0009, 0.0011), told("graph", 0.0, 0.0, 0.0)]}]}))
"""


def change(*rounds_ms, host_ms=None):
    more = {"host_s": [1e-3 * t for t in host_ms]} if host_ms else {}
    return {"rounds": [{"groups_s": [1e-3 * t, 1.1e-3 * t]} for t in rounds_ms], **more}


def document(**changes):
    return {"cupel_pytorch_steps": 1, "model": "net", "batch": 8, "parameters": 10, "optimizer": "SGD",
            "changes": {"nothing": change(20, 20.1, host_ms=[3, 5, 4]), **changes}}


class CheckForetellPytorch(FolderTest):
    def test_a_gain_is_least_before_less_least_after(self):
        facts = check.gains_of(document(no_wait=change(19, 18.5)))["nothing"]
        self.assertAlmostEqual(facts["gains"]["no_wait"]["gain_s"], 1.5e-3)
        self.assertAlmostEqual(facts["gains"]["no_wait"]["noise_s"], 0.5e-3)
        self.assertAlmostEqual(facts["host_s"], 3e-3)  # the least, as of a step

    def test_a_larger_batch_gains_what_as_many_samples_take_less(self):
        facts = check.gains_of(document(batch=change(30, 31)))["nothing"]
        self.assertAlmostEqual(facts["gains"]["batch"]["gain_s"], 5e-3)

    def test_a_compiled_step_is_held_against_the_same_eager_one(self):
        facts = check.gains_of(document(compile=change(15, 15), tuned=change(8, 8), tuned_compile=change(5, 5)))
        self.assertAlmostEqual(facts["nothing"]["gains"]["compile"]["gain_s"], 5e-3)
        self.assertAlmostEqual(facts["tuned"]["gains"]["tuned_compile"]["gain_s"], 3e-3)

    def test_a_change_of_one_round_is_no_gain(self):
        self.assertEqual(check.gains_of(document(no_wait=change(19)))["nothing"]["gains"], {})

    def ended(self, told, code, results=("results",), **changes):
        self.file("net.json", document(**changes))
        self.file("net.nothing.step.json", {})
        cupel = self.executable("cupel", CUPEL.replace("TOLD", str(told)))
        return self.run_script(check, "--cupel", cupel, self.folder, *results, code=code)

    def test_takes_the_rows_of_a_model_alone(self):
        self.assertIn("no RESULT, and no net.rows.json", self.ended(0.0012, 2, results=(), pinned_copies=change(18, 18.1)))
        self.file("net.rows.json", {})
        self.assertIn("1 changes, 1 matter", self.ended(0.0012, 0, results=(), pinned_copies=change(18, 18.1)))

    def test_counts_what_moves_the_step_and_is_clear_of_noise(self):
        page = self.ended(0.0012, 0, pinned_copies=change(18, 18.1), no_wait=change(18.7, 18.8), graph=change(19.8, 19.9),
                          fused_optimizer=change(16, 19))
        self.assertIn("| net | nothing | pinned_copies | 2.00 | +10.0 % | 2.00 | 1.00 to 3.00 | 0 % |", page)
        self.assertIn("4 changes, 2 matter, 0 of them silent (0%). Sign right in 100%, median error 4%, 100% inside the interval", page)
        self.assertIn("reached", page)

    def test_says_each_miss(self):
        page = self.ended(-0.0012, 1, no_wait=change(18.7, 18.8), tf32=change(20, 20.1), amp_bf16=change(10, 10.1),
                          channels_last=change(15, 15.1), fused_optimizer=change(18, 18.1))
        self.assertIn("| no_wait | 1.30 | +6.5 % | -1.20 | 1.00 to 2.00 | wrong sign |", page)
        self.assertIn("| tf32 | 0.00 | +0.0 % | -4.00 | -5.00 to -3.00 | not there |", page)
        self.assertIn("| amp_bf16 | 10.00 | +50.0 % | silent |  | never right |", page)
        self.assertIn("| channels_last | 5.00 | +25.0 % | on already |  |  |", page)
        self.assertIn("| fused_optimizer | 2.00 | +10.0 % | 1.00 | 0.90 to 1.10 | 50 %, outside the interval |", page)
        self.assertIn("1 of them silent (25%)", page)
        self.assertIn("1 foretold that are not there. missed", page)

    def test_a_folder_without_measurements_is_no_success(self):
        self.assertIn("Nothing that matters was foretold", self.run_script(check, self.folder, "results", code=1))


if __name__ == "__main__":
    main()
