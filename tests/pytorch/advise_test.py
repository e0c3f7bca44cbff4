"""What `cupel advise` says of files of the family pytorch: the reader's own step, PyTorch's step before ours, a loader before both."""

import json
import sys

import made_up
from program import ROOT, ProgramTest, main

sys.path.insert(0, str(ROOT / "bench" / "pytorch"))
from cupel_pytorch.recipe import PIECES  # noqa: E402

ADVICE = {"pinned_copies": "pin-memory", "no_wait": "avoid-sync", "amp": "mixed-precision", "channels_last": "channels-last",
          "fused_optimizer": "fused-adam", "autotune": "cudnn-autotune", "torch_compile": "fuse-pointwise", "graph": "graphs",
          "copies_ahead": "non-blocking"}


def step(name, times_ms, dropped_ms, where):
    """times_ms: of each rung that adds; dropped_ms: of the whole without a piece. Three processes each."""
    last = list(times_ms)[-1]
    rows = []
    for change, time_ms in times_ms.items():
        tags = {"nothing": [("all-together", "before", where, "")]}.get(change, [])
        tags = [("all-together", "after", where, "")] + [(ADVICE[one], "after", where, "") for one in dropped_ms if one in ADVICE] if change == last else tags
        rows += [(f"{name}/add:{change}", time_ms, tags)]
    rows += [(f"{name}/drop:{change}", time_ms, [(ADVICE[change], "before", where, "")] if change in ADVICE else [])
             for change, time_ms in dropped_ms.items()]
    return [made_up.row(row, process, [1e-3 * time_ms * (1 + 1e-3 * (process - 2))] * 6, advice=tags, workload={"items": 64})
            for row, time_ms, tags in rows for process in range(5)]


MODEL = step("pytorch/model", {"nothing": 42, "channels_last": 30, "graph": 18}, {"channels_last": 27, "graph": 24}, "pytorch/model")
PYTORCH = step("pytorch/step/net:resnet18_224/batch:64", {"nothing": 24, "channels_last": 15, "graph": 6}, {"channels_last": 8, "graph": 12},
               "pytorch/net:resnet18_224/batch:64")
OURS = step("step/waterfall", {"nothing": 35, "channels_last": 6, "graph": 5}, {"channels_last": 12, "graph": 5.3}, "step")


def loader(workers, rate):
    return [made_up.row(f"pytorch/loader/workers:{workers}", process, [64 / rate] * 6, workload={"items": 64}) for process in range(5)]


def largest_block(name, role, where, bytes_):
    return [made_up.row(name, process, [0.09] * 6, advice=[("fragmentation", role, where, "")],
                        counters={"largest_block": {"value": bytes_, "unit": "bytes", "better": "higher"}, "free_bytes": {"value": 2**30, "unit": "bytes"}})
            for process in range(5)]


def fragmentation(of_pytorch, of_ours):
    """Rows of the full profile: the largest block of the default allocator and of expandable segments, in MiB; of the family memory, too."""
    rows = []
    for where, name, settings, sizes in (
            ("pytorch/shapes", "pytorch/shapes/sizes:varying/allocator:{}", ("default", "expandable_segments"), of_pytorch),
            ("memory", "memory/fragmentation/impl:{}/block_bytes:3145728", ("caching", "virtual_memory"), of_ours)):
        for setting, role, mib in zip(settings, ("before", "after"), sizes or ()):
            rows += largest_block(name.format(setting), role, where, mib * 2**20)
    return rows


class Advise(ProgramTest):
    def answer(self, *rows, flags=()):
        file = self.file("some.json", made_up.result([row for some in rows for row in some], processes=5))
        return self.cupel("advise", file, *flags, code=0, COLUMNS="200").out

    def advise(self, *rows):
        return self.answer(*rows, flags=["--verdicts"])

    def ranks(self, text):
        """The pieces of the first list, in order."""
        lines = text.split("What to change first", 1)[1].splitlines()[3:]
        return [line.split()[1] for line in lines[:lines.index("")]]

    def test_tells_the_readers_own_step_and_ranks_by_it(self):
        text = self.advise(MODEL, PYTORCH, OURS)

        self.assertIn("Your step: 42.0 ms as it is, 18.0 ms with all changes.", text)
        self.assertIn("step of your model in PyTorch; a row: the step without that change", text)
        self.assertEqual(self.ranks(text), ["channels-last", "graphs"])

    def test_tells_the_readers_own_step_compiled_where_it_was(self):
        where = "pytorch/model/compiler:inductor"
        compiled = step(where, {"nothing": 42, "torch_compile": 25, "reduce_overhead": 16, "graph": 14},
                        {"channels_last": 21, "torch_compile": 19, "graph": 20}, where)
        for rows in ((MODEL, compiled), (compiled, MODEL)):
            text = self.advise(*rows)
            self.assertIn("Your step: 42.0 ms as it is, 14.0 ms with all changes.", text)
            self.assertEqual(self.ranks(text), ["channels-last", "graphs", "fuse-pointwise"])

    def test_names_what_did_not_pay_in_the_readers_own_step(self):
        quiet = step("pytorch/model", {"nothing": 42, "channels_last": 30, "graph": 18}, {"channels_last": 18, "graph": 24}, "pytorch/model")
        text = " ".join(self.answer(quiet).split())
        self.assertIn("Your step: 42.0 ms as it is, 18.0 ms with all changes. Rows in a step: without one change -> with all.", text)
        self.assertIn("1 make no difference (channels-last), ", text)
        self.assertNotIn("channels-last)", " ".join(self.answer(PYTORCH).split()))

    def test_tells_the_readers_own_step_and_what_to_type_where_nothing_is_decided(self):
        one = [row for row in MODEL if row["cupel"]["process"] == 0]
        text = " ".join(self.answer(one).split())
        self.assertIn("Your step: 41.9 ms as it is, 18.0 ms with all changes. No advice could be decided", text)
        self.assertIn("next the same with more --processes", text)

    def test_ranks_by_pytorchs_step_before_ours(self):
        text = self.advise(PYTORCH, OURS)

        self.assertIn("ResNet-18 step (224 x 224, batch 64, PyTorch)", text)
        self.assertEqual(self.ranks(text), ["graphs", "channels-last"])
        self.assertEqual(self.ranks(self.advise(OURS)), ["channels-last", "graphs"], "whose rank turns over")
        self.assertNotIn("Your step", text)

    def test_says_beside_a_line_of_pytorch_with_what_its_steps_were_measured(self):
        line = 'torch.compile(model, mode="reduce-overhead")'
        for rows in (PYTORCH, MODEL):
            self.assertIn(line + " (measured: torch.cuda.graph)", " ".join(self.answer(rows).split()))
        self.assertIn(line + " (measured: cudaGraphLaunch)", " ".join(self.answer(OURS).split()))

    def test_says_with_which_optimizer_and_precision_a_step_was_measured(self):
        fused, amp = "torch.optim.AdamW(params, fused=True)", 'torch.autocast("cuda", dtype=torch.bfloat16)'
        for name, where, of_optimizer, of_amp in (
                ("pytorch/step/net:resnet18_224/batch:64", "pytorch/net:resnet18_224/batch:64", " (measured: SGD in ResNets)", " (measured: float16)"),
                ("pytorch/model", "pytorch/model", "", "")):
            rows = step(name, {"nothing": 42, "amp": 30, "fused_optimizer": 18}, {"amp": 27, "fused_optimizer": 24}, where)
            text = self.answer(rows)
            self.assertIn(f"\n    {fused}{of_optimizer}\n", text)
            self.assertIn(f"\n    {amp}{of_amp}\n", text)

    def test_says_that_a_figure_by_itself_is_of_a_program_in_cpp(self):
        alone = [made_up.row(f"fusion/{role}", process, [time_s] * 6, advice=[("fuse-reduce", role, "sum", "")])
                 for role, time_s in (("before", 4e-3), ("after", 2e-3)) for process in range(5)]
        self.assertIn("    torch.linalg.vector_norm(x), not (x * x).sum().sqrt() (measured: Thrust)\n", self.answer(alone))

    def fragmentation_verdict(self, of_pytorch, of_ours):
        file = self.file("some.json", made_up.result(fragmentation(of_pytorch, of_ours), processes=5))
        document, = json.loads(self.cupel("advise", file, "--format", "json", code=0).out)["files"]
        piece, = [one for one in document["advice"] if one["id"] == "fragmentation"]
        return piece["verdict"], [gain["family"] for gain in piece["gains"]]

    def test_fragmentation_is_told_by_pytorchs_cache_where_it_was_measured(self):
        self.assertEqual(self.fragmentation_verdict((100, 300), (400, 100)), ("pays", ["pytorch"]))
        self.assertEqual(self.fragmentation_verdict((300, 100), (100, 400)), ("harms", ["pytorch"]))
        self.assertEqual(self.fragmentation_verdict(None, (100, 400)), ("pays", ["memory"]))

    def test_says_whose_host_a_ranking_by_our_step_is_for(self):
        text = " ".join(self.advise(OURS).split())
        self.assertIn("for a host in C++ (a PyTorch eager step needs about 16 to 36 us an operation, assumed: see graphs)", text)
        measured = [[made_up.row(f"pytorch/host/op:{op}/mode:eager", process, [time_s] * 6) for process in range(5)]
                    for op, time_s in (("add", 14e-6), ("conv", 30e-6))]
        launches = [made_up.row("sync/launch/argument_bytes:0", process, [4e-6] * 6) for process in range(5)]
        text = " ".join(self.advise(OURS, launches, *measured).split())
        self.assertIn("for a host that needs 4.00 us a launch (a PyTorch eager step needs about 14 to 30 us an operation: see graphs)", text)
        self.assertIn("This order is for a host that needs 4.00 us a launch (a PyTorch eager step needs about 14 to 30 us an operation: see graphs).",
                      " ".join(self.answer(OURS, launches, *measured).split()))
        self.assertIn("This order is for a host in C++ (a PyTorch eager step needs about 16 to 36 us an operation, assumed: see graphs).",
                      " ".join(self.answer(OURS).split()))
        for say in (self.advise, self.answer):
            self.assertNotIn("for a host", say(PYTORCH, OURS))

    def test_says_the_order_by_an_eager_host_beside_that_of_ours(self):
        native = step("step/waterfall/net:resnet18_32/batch:128", {"nothing": 20, "amp_fp16": 12, "channels_last": 8, "graph": 7.5}, {}, "step")
        eager = step("step/waterfall/net:resnet18_32/host:eager/batch:128", {"nothing": 40, "amp_fp16": 42, "channels_last": 36, "graph": 20}, {}, "step")
        orders = ("A ResNet-18 step (32 x 32) gains most by such a host from graphs, channels-last; "
                  "by one in C++ from mixed-precision, channels-last, graphs.")
        for say in (self.answer, self.advise):
            text = " ".join(say(OURS, native, eager).split())
            self.assertIn(orders, text)
            self.assertEqual("graphs 1.07x in C++ and 1.80x in C++ by an eager host" in text, say == self.advise)
            self.assertNotIn("by such a host", say(OURS, native))
            self.assertNotIn("by such a host", say(PYTORCH, native, eager))

    def test_the_step_in_cpp_that_was_taken_apart_is_held_beside_an_eager_hosts_as_it_was_built_up(self):
        native = step("step/waterfall/net:resnet18_32/batch:128", {"nothing": 20, "amp_fp16": 12, "channels_last": 8, "graph": 7.5},
                      {"amp_fp16": 9, "channels_last": 14, "graph": 7.9}, "step")
        eager = step("step/waterfall/net:resnet18_32/host:eager/batch:128", {"nothing": 40, "amp_fp16": 42, "channels_last": 36, "graph": 20}, {}, "step")
        for say in (self.answer, self.advise):
            self.assertIn("A ResNet-18 step (32 x 32) gains most by such a host from graphs, channels-last; "
                          "by one in C++ from mixed-precision, channels-last, graphs.", " ".join(say(OURS, native, eager).split()))

    def test_tf32_and_autocast_count_together_where_they_were_added_in_turn_and_tf32_has_a_line_of_its_own(self):
        rungs = {"nothing": 160, "tf32": 60, "amp": 30, "graph": 28}
        whole = self.answer(step("pytorch/step/net:gpt_12/batch:8", rungs, {}, "pytorch/net:gpt_12"))
        self.assertRegex(whole, r"mixed-precision +in a step +160 ms -> 30\.0 ms +5\.33x\n +torch\.autocast")
        for name, without in (("tf32 alone", {key: value for key, value in rungs.items() if key != "amp"}), ("slower by autocast", {**rungs, "amp": 70})):
            with self.subTest(name):
                text = self.answer(step("pytorch/step/net:gpt_12/batch:8", without, {}, "pytorch/net:gpt_12"))
                self.assertRegex(text, r"mixed-precision +in a step +160 ms -> 60\.0 ms +2\.67x\n +torch\.set_float32_matmul_precision\(\"high\"\)\n")

    def test_names_pieces_whose_rank_turns_over(self):
        ours = step("step/waterfall/net:resnet18_224/batch:64", {"nothing": 35, "channels_last": 6, "graph": 5},
                    {"channels_last": 12, "graph": 5.3}, "step")
        text = " ".join(self.advise(PYTORCH, ours).split())
        self.assertIn("The order differs by the host: graphs 2.00x in PyTorch and 1.06x in C++, "
                      "channels-last 1.33x in PyTorch and 2.40x in C++ (ResNet-18 step, 224 x 224).", text)
        added = step("step/waterfall/net:resnet18_224/batch:64", {"nothing": 35, "channels_last": 6, "graph": 5}, {}, "step")
        self.assertNotIn("differs by the host", self.advise(PYTORCH, added), "was added in turn, not taken out")
        self.assertNotIn("differs by the host", self.advise(PYTORCH))

    def test_ranks_by_the_net_that_a_file_has_and_names_the_others(self):
        large = [step(f"pytorch/step/net:{net}", {"nothing": 40, "copies_ahead": 14}, dropped, f"pytorch/net:{net}")
                 for net, dropped in (("vit_b_16/batch:64", {"graph": 16}), ("resnet50/batch:64", {"channels_last": 23, "graph": 20}))]
        text = " ".join(self.answer(*large).split())
        self.assertIn("ResNet-50 step (224 x 224, batch 64, PyTorch): 40.0 ms with nothing, 14.0 ms with all. Rows in a step: without one change -> with all", text)
        self.assertIn("1 channels-last in a step 23.0 ms -> 14.0 ms 1.64x", text)
        self.assertIn("by net vit_b_16: graphs 1.14x others", text)
        by = " ".join(self.cupel("advise", self.file("some.json", made_up.result([row for rows in large for row in rows], processes=5)),
                                 "--by", "vit_b_16", code=0, COLUMNS="100").out.split())
        self.assertIn("Ranked by a ViT-B/16 step (224 x 224, batch 64, PyTorch): 40.0 ms with nothing, 14.0 ms with all.", by)
        self.assertIn("1 graphs in a step 16.0 ms -> 14.0 ms 1.14x", by)
        self.assertIn("by net resnet50: channels-last 1.64x, graphs 1.43x", by)
        self.refuses("no training step of 'vit_b16' was measured; nearest: vit_b_16", "advise", self.folder / "some.json", "--by", "vit_b16")
        text = self.advise(*large)
        self.assertEqual(self.ranks(text), ["channels-last", "graphs"])
        gave = text.split("What each change gave", 1)[1]
        self.assertIn("pytorch/step net:vit_b_16 batch:64", gave)
        self.assertRegex(gave, r"graph +graphs +1\.14x", "left out alone")
        self.assertNotIn("by net ", self.answer(MODEL))
        document, = json.loads(self.answer(*large, flags=["--format", "json"]))["files"]
        changes = {one["change"]: one for one in document["steps"][0]["changes"]}
        self.assertIsNone(changes["graph"].get("added"), "it was left out alone")
        self.assertAlmostEqual(changes["graph"]["alone"], 16 / 14)

    def test_judges_a_claim_to_be_first_by_all_steps_of_the_nearest_program(self):
        small = step("pytorch/step/net:resnet18_32/batch:128", {"nothing": 20, "amp": 15, "graph": 6}, {"amp": 8, "graph": 12}, "pytorch/net:resnet18_32")
        vit = step("pytorch/step/net:vit_b_16/batch:64", {"nothing": 40, "amp": 20, "graph": 14}, {}, "pytorch/net:vit_b_16")
        ours = step("step/waterfall", {"nothing": 35, "amp": 6, "graph": 5}, {"amp": 12, "graph": 5.3}, "step")
        claim = '"the most effective recipe" '
        self.assertIn(claim + "holds at 1 of 2 steps: first in ViT-B/16; number 2 in the step of PyTorch net:resnet18_32 batch:128",
                      " ".join(self.advise(small, vit, ours).split()))
        self.assertIn(claim + "does not hold: number 2 in a step of PyTorch net:resnet18_32 batch:128", " ".join(self.advise(small, ours).split()))
        pool = [made_up.row(row, process, [1e-3 * time_ms] * 6) for row, time_ms in (("step/waterfall/net:a/add:nothing", 40),
                ("step/waterfall/net:a/add:kept_memory", 20), ("step/waterfall/net:a/add:amp", 10)) for process in range(5)]
        text = " ".join(self.advise(ours, pool).split())
        self.assertIn(claim + "holds at all 2 steps", text, "no framework empties its pool in each step")
        large = step("pytorch/step/net:gpt_12/batch:8", {"nothing": 40, "amp": 20, "graph": 14}, {}, "pytorch/net:gpt_12")
        self.assertIn(claim + "holds at all 2 steps: first in ViT-B/16, GPT of 12 layers", " ".join(self.advise(vit, large).split()))

    def test_ranks_each_piece_by_the_step_that_it_makes_faster(self):
        for piece in PIECES:
            rows = step("pytorch/model", {"nothing": 42, piece: 18}, {piece: 27}, "pytorch/model")
            self.assertIn("Your step: 42.0 ms as it is, 18.0 ms with all changes. Rows in a step: without one change -> with all", " ".join(self.answer(rows).split()), piece)
            self.assertRegex(self.answer(rows), r"\n1  [a-z-]+ +in a step +27\.0 ms -> 18\.0 ms", piece)
            self.assertEqual(self.answer(rows).count("27.0 ms -> 18.0 ms"), 1, f"{piece} is not said twice")

    def test_says_that_no_change_of_a_measured_step_is_known_to_pay(self):
        one = [row for row in PYTORCH if row["cupel"]["process"] == 0]
        alone = [made_up.row(f"fusion/{role}", process, [time_s] * 6, advice=[("fuse-reduce", role, "sum", "")])
                 for role, time_s in (("before", 4e-3), ("after", 2e-3)) for process in range(5)]
        text = " ".join(self.answer(one, alone).split())
        self.assertIn("No change is known to pay in the ResNet-18 step (224 x 224, batch 64, PyTorch). Sorted by the smallest gain", text)
        self.assertIn("next the same with more --processes", text)
        self.assertIn("No training step was measured. Sorted by", " ".join(self.answer(alone).split()))

    def test_holds_cupels_loader_against_its_step_where_pytorchs_were_not_measured(self):
        ours = step("step/waterfall/net:resnet18_224/batch:64", {"nothing": 35, "channels_last": 6, "graph": 5}, {"graph": 5.3}, "step")
        load = [made_up.row("pipeline/load/kind:thread/workers:8", process, [16e-3] * 6, workload={"items": 64}) for process in range(5)]
        text = " ".join(self.advise(ours, load).split())
        self.assertIn("cupel's loader limits the ResNet-18 step (224 x 224, batch 64, C++): 8 workers load 4000 images/s, the step takes 12800 (5.00 ms).", text)

    def test_puts_the_readers_own_loader_before_any_piece_of_their_step_where_it_binds(self):
        def own(rate, workers=4):
            return [made_up.row("pytorch/model/loader", process, [64 / rate] * 6, workload={"items": 64},
                                counters={"workers": {"value": workers, "unit": "1", "exact": True}}) for process in range(5)]
        for say in (self.answer, self.advise):
            text = " ".join(say(MODEL, own(1000), PYTORCH, loader(16, 2150)).split())
            self.assertIn("Your loader gives 1000 a second by 4 workers, your step could take 3556 (18.0 ms): the loader first. Set num_workers to "
                          "your CPUs; with fewer than 15 CPUs, make what it does to a sample cheaper.", text)
            self.assertLess(text.index("Your loader gives"), text.index("channels-last"))
            self.assertNotIn("PyTorch's loader", text)
            self.assertNotIn("Your loader", say(MODEL, own(4000)))

    def test_gives_a_change_one_number_on_every_page(self):
        workers = [[made_up.row(f"pytorch/workers/{role}", process, [time_s] * 6, advice=[("loader-workers", role, "loop", "")])
                    for process in range(5)] for role, time_s in (("before", 8e-2), ("after", 1e-2))]
        for slow_loader, number in (([loader(16, 2150)], 2), ([], 1)):
            rows = [PYTORCH, *workers, *slow_loader]
            self.assertRegex(self.answer(*rows), rf"\n{number}  graphs ")
            self.assertRegex(self.advise(*rows), rf"\n *{number}  graphs ")
            self.assertEqual("First: 1 loader-workers." in self.advise(*rows), bool(slow_loader))
            document, = json.loads(self.answer(*rows, flags=["--format", "json"]))["files"]
            numbers = {one["id"]: one.get("number") for one in document["advice"]}
            self.assertEqual((numbers["graphs"], numbers["loader-workers"]), (number, 1 if slow_loader else None))
            both = self.cupel("advise", "some.json", "some.json", code=0, COLUMNS="200").out
            self.assertRegex(both, rf"\ngraphs +2\.00x in a step #{number} +2\.00x in a step #{number}")
            self.assertEqual("8.00x #1 " in " ".join(both.split()), bool(slow_loader))

    def test_puts_a_loader_that_binds_before_any_piece_of_a_step(self):
        text = self.advise(PYTORCH, loader(0, 200), loader(16, 2150))

        self.assertIn("The loader first", text)
        self.assertIn("PyTorch's loader limits the ResNet-18 step (224 x 224, batch 64, PyTorch): 16 workers load 2150 images/s, the step takes 10667 "
                      "(6.00 ms). Set num_workers to your CPUs; with fewer than 80 CPUs, use smaller images or a faster decoder.",
                      " ".join(text.split()))
        self.assertIn("Set num_workers to your CPUs; with fewer than 2 CPUs, use", " ".join(self.advise(PYTORCH, loader(0, 7000)).split()))
        self.assertLess(text.index("The loader first"), text.index("What to change first"))
        self.assertNotIn("The loader first", self.advise(PYTORCH, loader(16, 20000)))


if __name__ == "__main__":
    main()
