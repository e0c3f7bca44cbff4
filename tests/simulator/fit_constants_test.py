"""fit_constants.py finds the noise that a result file was made with."""

import math
import random
import re
import sys
import unittest

sys.dont_write_bytecode = True
import fit_constants

FAMILIES = ["gemm", "sync"]
ROUNDS, OF_ROUND = 3, 10
PROCESS_SD, SHARED, ROUND_SD, SAMPLE_SD = 0.02, 0.5, 0.03, 0.01
TIMES_S = {"large": 1e-3, "small": 1e-5, "power": 2e-3, "host": 1e-4}
COLUMNS = ["benchmarks", "sample_sd", "sample_sd_spread", "process_sd", "process_sd_spread", "bimodal", "gap_low",
           "gap_high", "outliers", "outlier_size", "correlation", "shared", "rounds", "far", "far_size", "samples",
           "seen_median", "seen_high"]


def row(name, family, kind, process, level, draw):
    samples = []
    for _ in range(ROUNDS):
        of_round = level + ROUND_SD * draw.gauss(0, 1)
        samples += [TIMES_S[kind] * math.exp(of_round + SAMPLE_SD * draw.gauss(0, 1)) for _ in range(OF_ROUND)]
    figure = {"mode": "host" if kind == "host" else "cold", "samples_s": [s + 1e-6 for s in samples],
              "correction_s": 1e-6, "round_sizes": [OF_ROUND] * ROUNDS}
    return {"name": name, "cupel": {"status": "ok", "family": family, "process": process, "series": [figure],
                                    "telemetry": {"throttle_s": {"sw_power_cap": 0.1 if kind == "power" else 0}}}}


def result(processes, move=lambda kind, index, process: 0.0, benchmarks=24):
    """Benchmarks of each kind in each of two families, by the model, and moved by `move`."""
    draw = random.Random(1)
    shared = {}
    rows = []
    for process in range(processes):
        for family in FAMILIES:
            for kind in TIMES_S:
                state = shared.setdefault((process, family, kind == "host"), draw.gauss(0, 1))
                for index in range(benchmarks // 2):
                    own = math.sqrt(SHARED) * state + math.sqrt(1 - SHARED) * draw.gauss(0, 1)
                    level = PROCESS_SD * own + move(kind, index, process)
                    rows.append(row(f"{family}/{kind}/{index}", family, kind, process, level, draw))
    context = {"run": {"profile": "quick"}, "build": {"git_revision": "0123456789"}, "device": {"name": "a device"}}
    return {"context": {"cupel": context}, "benchmarks": rows}


def fitted(document):
    """kind -> column -> number"""
    text = fit_constants.constants_of_result(document)
    rows = re.findall(r'\{"(\w+)", ([^}]*)\}', text)
    return {kind: dict(zip(COLUMNS, map(float, numbers.split(",")), strict=True)) for kind, numbers in rows}


class FitConstants(unittest.TestCase):

    def test_finds_the_parts_that_processes_were_made_of(self):
        found = fitted(result(60))

        # Levels of rounds are a part of what locations differ by.
        process_sd = math.sqrt(PROCESS_SD**2 + ROUND_SD**2 / ROUNDS)
        for kind, of_kind in found.items():
            with self.subTest(kind):
                self.assertEqual(of_kind["benchmarks"], 24)
                self.assertEqual(of_kind["samples"], ROUNDS * OF_ROUND)
                self.assertAlmostEqual(of_kind["process_sd"] / process_sd, 1, delta=0.15)
                self.assertAlmostEqual(of_kind["shared"], SHARED * PROCESS_SD**2 / process_sd**2, delta=0.12)
                self.assertAlmostEqual(of_kind["rounds"] / (ROUND_SD / process_sd), 1, delta=0.15)
                self.assertAlmostEqual(of_kind["sample_sd"] / SAMPLE_SD, 1, delta=0.2)
                self.assertEqual(of_kind["bimodal"], 0)

    def test_finds_far_processes_and_takes_them_from_the_others(self):
        far = fitted(result(60, lambda kind, index, process: 0.5 if kind == "small" and process == index else 0.0))

        self.assertAlmostEqual(far["small"]["far"], 1 / 60, delta=0.001)
        self.assertAlmostEqual(far["small"]["far_size"], 0.5, delta=0.05)
        self.assertAlmostEqual(far["small"]["process_sd"] / far["large"]["process_sd"], 1, delta=0.2)
        self.assertGreater(far["small"]["seen_median"], 2 * far["large"]["seen_median"])

    def test_finds_two_modes(self):
        modes = fitted(result(20, lambda kind, index, process: 0.3 if kind == "host" and process % 3 == index else 0.0))

        self.assertAlmostEqual(modes["host"]["bimodal"], 6 / 24)
        self.assertAlmostEqual(modes["host"]["gap_low"], 0.3, delta=0.05)
        self.assertAlmostEqual(modes["host"]["gap_high"], 0.3, delta=0.05)
        self.assertEqual(modes["large"]["bimodal"], 0)

    def test_leaves_an_interrupted_process_out(self):
        whole = result(10)
        interrupted = result(10)
        interrupted["benchmarks"] += [dict(r, cupel=dict(r["cupel"], process=10)) for r in whole["benchmarks"][:30]]

        self.assertEqual(fit_constants.constants_of_result(interrupted), fit_constants.constants_of_result(whole))

    def test_takes_a_result_of_one_executable(self):
        alone = result(10)
        alone["benchmarks"] = [r for r in alone["benchmarks"] if r["name"].startswith("sync/")]

        self.assertEqual(fitted(alone)["host"]["benchmarks"], 12)

    def test_says_what_is_too_little(self):
        with self.assertRaisesRegex(ValueError, "9 whole processes; 10 are needed"):
            fitted(result(9))
        few = result(10)
        few["benchmarks"] = [r for r in few["benchmarks"] if "/power/" not in r["name"]]
        with self.assertRaisesRegex(ValueError, "fewer than two benchmarks are power"):
            fitted(few)


if __name__ == "__main__":
    unittest.main()
