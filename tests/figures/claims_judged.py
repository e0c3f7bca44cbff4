"""How each sentence of docs/claims.md is judged that is not simply held by its pieces' verdicts.

A sentence that says that something costs is held by the piece's costing, any other by its paying. Those below say something else than
their piece is about: fewer bytes, a sign, one size of many, a number."""

import functools
import re

from program import CUPEL, ROOT, load_script

figures = load_script("check-figures")

UNKNOWN = ("not measured", "not measurable")


def tallied(kind, verdicts):
    """The word for points of a piece, and the words beside it where not all are alike."""
    wanted, does = ("harms", "costs") if kind == "cost" else ("pays", "pays")
    decided, held = [verdict for verdict in verdicts if not verdict.startswith(("undecided", "not"))], verdicts.count(wanted)
    if not decided:
        return "undecided", ""
    word = "holds" if held == len(decided) else "in part" if held else "refuted"
    if held == len(verdicts):
        return word, ""
    return word, f"{does} at {held or 'none'} of {len(verdicts)}" if len(verdicts) > 1 else ""


def by_pieces(*names):
    """The sentence holds as far as these pieces do, or those of its line."""

    def judge(known, pieces, _):
        judged_ones = [known[name] for name in names or pieces if known.get(name, {}).get("kind") in ("gain", "cost")]
        found = [tallied(piece["kind"], [verdict for verdict, count in piece["points"].items() for _ in range(count)])
                 if piece["verdict"] not in UNKNOWN else ("not measured", "") for piece in judged_ones]
        if len(found) < 2:
            return found[0] if found else ("–", "")
        words = {word for word, _ in found}
        return words.pop() if len(words) == 1 else "in part", ""

    return judge


def by_claim(name):
    """What advise says of the claim that the catalogue has."""

    def judge(known, *_):
        said = known[name]["claim_held"]
        some = re.match(r"holds at (\d+) of", said)
        word = "in part" if some else "refuted" if re.match("does not hold|holds at none", said) else "holds"
        return word, re.sub(r"^(does not hold|holds):? (at \w+ (?:of )?\d+(?: steps)?)?:? ?", lambda at: f"{at[2]}, " if at[2] else "", said)

    return judge


def vocabulary(kind, family):
    folder = f"nvidia-{kind}" + ("-x2" if family == "collective" else "")
    return words_of(f"results/{folder}/{family}.json.gz")


@functools.cache
def words_of(file):
    return figures.Vocabulary(figures.Program(CUPEL, ROOT), file).words()


def by_points(family, piece, where, variants=False):
    """Some points of a piece, by a pattern of their names."""

    def judge(known, _, kind):
        return tallied(known[piece]["kind"], figures.value_of(f"verdicts({piece!r}, {where!r}, {variants})", vocabulary(kind, family)))

    return judge


def written(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value == round(value) or value >= 10 else f"{value:.2f}"


def by_figures(family, condition, evidence):
    """The sentence holds where the condition does, in the words of ci/check-figures; figures of the evidence are in braces."""

    def judge(_, __, kind):
        words = vocabulary(kind, family)
        said = re.sub(r"\{(.+?)\}", lambda figure: written(figures.value_of(figure[1], words)), evidence)
        return "holds" if figures.value_of(condition, words) else "refuted", said

    return judge


def not_judged(why):
    return lambda *_: ("not judged", why)


def fewer(family, counter, before, after, words):
    """The sentence says that something takes fewer bytes than before."""
    times = f'counter("{before}", "{counter}") / counter("{after}", "{counter}")'
    return by_figures(family, f"{times} > 1.03", f"{{{times}}} times fewer bytes {words}")


def some_of(family, conditions, evidence):
    """The sentence holds as far as these conditions do, with the evidence of by_figures."""

    def judge(known, pieces, kind):
        found = {by_figures(family, condition, evidence)(known, pieces, kind) for condition in conditions}
        words = {word for word, _ in found}
        return words.pop() if len(words) == 1 else "in part", found.pop()[1]

    return judge


BUSY = 'counter("batch/size:{}", "device_time") / s("batch/size:{}")'
BUSY_32, BUSY_256 = BUSY.format(32, 32), BUSY.format(256, 256)
A_SIGN = by_figures("step", f"not ({BUSY_32} > 0.8 and s('batch/size:32') / s('batch/size:128') > 1.05)",
                    f"busy for {{100 * {BUSY_32}}} % of the time with 32 images, where 128 at a time give {{100 * (s('batch/size:32') / s('batch/size:128') - 1)}} % more")
STEPS = ('[a["{}"] / b["{}"] for f in ("step", "pytorch") for a in of("../nvidia-h200/" + f).points("all-together")'
         ' for b in of("../nvidia-h100/" + f).points("all-together") if a["scenario"] == b["scenario"]]').format("before_s", "after_s")
BESIDE = 's(names("beside/kind:process/workers:{}(/|$)")[0])'
WORKERS_32 = f"{BESIDE.format(32)} / {BESIDE.format(16)}"

FULL = 'of("../nvidia-h200-full/pytorch")'  # rows of the full profile, on an H200 alone
LOOP = 'of("../nvidia-h200-source/pytorch").longer("profiler-left-on")'
VANISH = FULL + '.counter("gradients/net:resnet18_32/batch:128/loss:{}", "vanished")'
AMP_OF_RESNET, AMP_OF_LINEAR = 'gain("mixed-precision", "resnet18_224.*batch:64")', FULL + '.gain("mixed-precision", "linear_3_1")'

MOST = "counter('batch/largest', 'largest_batch')"


def more_than(size, of="largest"):
    return f"tflops('batch/{of}') / tflops('batch/size:{size}')"  # of one net, so images a second


def the_largest_batch(known, pieces, kind):
    """The largest batch that was trained against 128 and 256, of which the knee's 5 % count as more; an earlier file has none."""
    if not figures.value_of("names('batch/largest')", vocabulary(kind, "step")):
        more = more_than(128, "size:256")
        return by_figures("step", f"{more} > 1.05", f"256 images at a time give {{100 * ({more} - 1)}} % more than 128")(known, pieces, kind)
    conditions = [f"{more_than(size)} > 1.05" for size in (128, 256)]
    evidence = f"{{{MOST}}} images, the most that could be trained, do {{{more_than(128)}}} times as many a second as 128, {{{more_than(256)}}} as 256"
    return some_of("step", conditions, evidence)(known, pieces, kind)


SENTENCES = {
    "model trained 20 times faster once it really was on the GPU": by_claim("use-the-gpu"),
    "keep model, inputs, labels on one device": by_pieces("keep-on-device"),
    "the case study leaves the profiler on in every step": by_figures("pytorch", f"{LOOP} > 1.03", f"in its own loop, on an H200, {{{LOOP}}} times as long"),
    "DataParallel synchronises badly, one GPU does the communication": by_points("collective", "ddp", "data_parallel"),
    "AMP needs GradScaler (all sources' loop)": by_figures(
        "pytorch", f"{VANISH.format('unscaled')} > 0 and {VANISH.format('times_65536')} == 0",
        f"on an H200 {{1e6 * {VANISH.format('unscaled')}}} of a million gradients of ResNet-18 vanish in fp16 without it, {{{VANISH.format('times_65536')}}} with its first scale"),
    "ResNet-50 was 3x slower than expected: batches were copied from host memory in each iteration": by_claim("pipeline-stall"),
    "pin_memory and non_blocking together: +40 %": by_claim("pin-memory"),
    "empty_cache() frees unused cached memory": by_figures("memory", 'gain("empty-cache-room", "for:others") > 1.03',
                                                           '{gain("empty-cache-room", "for:others")} times larger blocks for others'),
    "out of memory: smaller batch or AMP": fewer("step", "activations", "memory/precision:fp32/batch:32", "memory/precision:amp_bf16/batch:32",
                                                 "of activations by AMP, {counter('batch/size:256', 'activations') / counter('batch/size:32', 'activations')}"
                                                 " times by 32 images in place of 256"),
    "utilisation below 70 to 80 % means too little work": A_SIGN,
    "utilisation below 50 %: larger batch, better layers": A_SIGN,
    "good optimisation takes 30 to 50 % off the training time, and more": by_claim("all-together"),
    "double the batch until out of memory: that one is optimal": the_largest_batch,
    "ReLU -> GELU / SiLU: an activation more efficient for the GPU; speeds up training without loss of accuracy": by_points("fusion", "activations", "function:relu/"),
    "tanh -> GELU for recurrent nets": by_points("fusion", "activations", "function:tanh/.*function:gelu"),
    "convolution sizes in multiples of 8": by_points("conv", "multiples-of-8", "channels:(3 .*channels:8|60|127)", True),
    "activation checkpointing saves memory of large models": fewer(
        "step", "activations", "checkpoint/keep:all/net:transformer_1024x12/batch:8", "checkpoint/keep:sqrt/net:transformer_1024x12/batch:8", "of activations"),
    "RDMA / InfiniBand better than TCP": by_figures("collective", 'longer("nccl-transport", "by:socket/bytes:64MiB", True) > 1.03',
                                                    'sockets take {longer("nccl-transport", "by:socket/bytes:64MiB", True)} times as long as NVLink'),
    "prefetch_factor=2": by_points("pipeline", "prefetch-depth", "depth:2/", True),
    "accumulate gradients instead of a batch that does not fit": fewer("step", "activations", "accumulate/of:128/micro:128", "accumulate/of:128/micro:32",
                                                                       'of activations, in {longer("grad-accumulation")} times the time'),
    "NCCL_SOCKET_IFNAME, NCCL_IB_DISABLE": not_judged("what each transport costs is measured, not which a setting picks"),
    "ZeRO / FSDP spread memory": fewer("collective", "held", "shard/way:ddp", "shard/way:zero3", "on each of two GPUs"),
    "OMP_NUM_THREADS=4, MKL_NUM_THREADS=4": by_points("pipeline", "cpu-threads", "intra:4", True),
    "cudnn.benchmark; example 1 x 3 x 32 x 32": by_points("conv", "cudnn-autotune", "example_3x3"),
    "AMP saves memory and time; example Linear(3, 1)": some_of(
        "pytorch", (f"{AMP_OF_RESNET} > 1.03", f"{AMP_OF_LINEAR} > 1.03"),
        f"a tuned step of ResNet-18 takes {{{AMP_OF_RESNET}}} times as long without it, and one of the example, on an H200, {{1 / {AMP_OF_LINEAR}}} times as long with it"),
    "empty_cache avoids running out of memory": by_claim("empty-cache-room"),
    "the next GPU beats all tricks": by_figures("step", f"min({STEPS}) < 1",
                                                f"untuned on an H200 a step takes {{min({STEPS})}} to {{max({STEPS})}} times as long as tuned on an H100"),
    "num_workers=1 takes loading out of the main thread": by_points("pipeline", "loader-workers", "beside/kind:process/workers:1(/|$)"),
    "fixed batch sizes may help": by_points("step", "fixed-batch", "equal"),
    "batches that vary: preallocate for the largest": by_points("step", "fixed-batch", "for_largest"),
    ".cpu(), .numpy() synchronise; that is expensive": by_pieces("avoid-sync", "scalar-readback"),
    "autotune with changing sizes: very slow": by_claim("autotune-cost"),
    "AMP is the most effective recipe": by_claim("mixed-precision"),
    "Apex FusedAdam is faster than Adam": by_points("optimizer", "fused-adam", "rule:adam"),
    "cudnn.benchmark takes more memory": by_claim("autotune-memory"),
    "CUDA_LAUNCH_BLOCKING slows": by_claim("launch-blocking"),
    "a model that is too heavy lowers utilisation": by_figures("step", f"{BUSY_256} < {BUSY_32}",
                                                               f"busy for {{100 * {BUSY_32}}} % of the time with 32 images, {{100 * {BUSY_256}}} with 256"),
    "more processes than cores are slow": by_figures("pipeline", f"{WORKERS_32} > 1.03", f"with 32 workers an epoch takes {{{WORKERS_32}}} times as long as with 16, one for each CPU of the run"),
}


def judged(claim, pieces, known):
    """The cell of a sentence: the word and the evidence of the first kind of GPU, and the words of others where they are other ones."""
    found = {kind: SENTENCES.get(claim, by_pieces())(of_kind, pieces, kind) for kind, of_kind in known.items()}
    (_, (word, evidence)), *others = found.items()
    return "; ".join([f"{word}: {evidence}" if evidence else word, *(f"on an {kind.upper()} {other}" for kind, (other, _) in others if other != word)])
