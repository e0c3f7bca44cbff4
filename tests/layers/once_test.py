#!/usr/bin/env python3
"""What is said once: the table below, a fault of a machine and its text in cupel/record/faults.cpp, for doctor and results alike, and the
meaning of a warning in cupel/figures/warning.cpp."""

import collections
import re
import unittest

from program import ROOT, main

FAULTS = ROOT / "cupel" / "record" / "faults.cpp"
WARNINGS = ROOT / "cupel" / "figures" / "warning.cpp"
COMMENT = re.compile(r"//.*")
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def texts_of(path):
    """String literals, those that follow upon each other joined."""
    code = "\n".join(COMMENT.sub("", line) for line in path.read_text(encoding="utf-8").splitlines())
    return TEXT.findall(re.sub(r'"\s*\n\s*"', "", code))


def sources():
    for folder in ("cupel", "cli"):
        for suffix in ("cpp", "hpp", "cu"):
            yield from (path for path in (ROOT / folder).rglob(f"*.{suffix}") if not path.stem.endswith("_test"))


def saying(*words):
    """The sources in which one literal holds one of these words."""
    return sorted({str(path.relative_to(ROOT)) for path in sources() for text in texts_of(path) for word in words if word in text})


FAULTY = r"(power_limit(_default)?_w|pcie_(width|generation)(_max)?|\bgovernor|\bpersistence)\b"
ORDERED = r"\s([<>]=?|[!=]=)\s"

# what: (the line that says it, the files that may have it).
ONCE = {
    "an exception that becomes a skipped benchmark: bench_main() decides that":
        (r"\bskip\(\s*\w+\.what\(\)", []),
    "errors that say 'cannot run here' go through to bench_main(): cuDNN's attention alone has another way":
        (r"catch \(const (\w+::)*(CannotRun|NotSupported|CudaRefusal|CallRefused|C\w+Error)\b",
         ["cupel/vendor/cudnn_attention.cpp", "bench/step/profiled_main.cpp", "cupel/probe/probe.cpp"]),  # and programs of their own
    "statuses of CUDA that say 'cannot run here': cuda::check(), but for who asks whether there is a device, or allocates until it is refused":
        (r"\bcudaError(MemoryAllocation|NotSupported|NoKernelImageForDevice|UnsupportedPtxVersion|CallRequiresNewerDriver|DevicesUnavailable)\b"
         r"|\bCUDA_ERROR_\w+|[!=]= CUDA_SUCCESS",
         ["cupel/cuda/cuda.cpp", "cupel/device/availability.cpp", "cupel/device/look_kernels.hpp"] +
         [f"bench/{file}.cpp" for file in ("memory/fraction", "memory/fragmentation", "memory/largest", "step/profiled_main", "sync/child_main")]),
    "errors that are asked whether they say 'cannot run here': by bench_main(), programs of their own, and who tries sizes until one is refused":
        (r"\bcannot_run\(\w", ["cupel/host/cannot_run.hpp", "cupel/harness/bench_main.cpp", "bench/collective/rendezvous.cpp", "bench/sync/child_main.cpp"] +
         [f"bench/step/{file}.cpp" for file in ("batch", "profiled_main", "profiles")]),
    "a library that is missing goes through to bench_main(), too, but for who asks whether it is there":
        (r"catch \(const (\w+::)*Unavailable\b",
         ["bench/collective/neighbour.cpp", "cupel/device/nvml.cpp", "cupel/host/shared_library.cpp", "cupel/probe/probe.cpp",
          "cupel/timing/cupti_referee.cpp", "cupel/vendor/cublas.cpp", "cupel/vendor/cudnn.cpp"]),
    "statuses of libraries that say 'cannot run here': why_not_here()":
        (r"\bCU(BLAS|DNN)_STATUS_(NOT_SUPPORTED|ARCH_MISMATCH|ALLOC_FAILED)|\bNVJPEG_STATUS_(ARCH_MISMATCH|ALLOCATOR_FAILURE)",
         ["cupel/vendor/cublas.cpp", "cupel/vendor/cudnn.cpp", "cupel/vendor/nvjpeg.cpp"]),
    "Markdown: one renderer writes it of any page":
        (r"escape_markdown|markdown_code",
         [f"cupel/report/page/{file}" for file in ("escape.cpp", "escape.hpp", "markdown.cpp")]),
    "Markdown: its tables and what is folded":
        (r"\":?---|\| :?---|<details>", ["cupel/report/page/html.cpp", "cupel/report/page/markdown.cpp"]),
    "locks of files: files::lock(), also for those that wait as long as a run does":
        (r"\bflock\(|\bLOCK_(EX|SH|NB)\b|\bF_(OFD_)?SETLKW?\b|\blockf\(", ["cupel/files/descriptor.cpp"]),
    "replacement at once: cupel/files for a file, the data of a pipeline for a folder":
        (r"(?<!\w)::rename\(|\b(std|fs|filesystem)::rename\(", ["cupel/files/output_file.cpp", "bench/pipeline/data_set.cpp"]),
    "drawings: charts are data, and the renderer of HTML alone draws them":
        (r"html::(svg|legend|table)\(", ["cupel/report/page/html.cpp"]),
    "elements of HTML and SVG: pages are data, the renderers alone write them, and a picture that is a file of its own":
        (r'"[^"]*</?(a|code|d[dlt]|details|div|figure|g|h[1-6]|li|line|main|nav|p|path|rect|section|small|span|style|summary|svg|t[dhr]|table|text|ul|wbr)\b',
         [f"cupel/report/page/{file}.cpp" for file in ("html", "html_page", "html_text", "line_chart", "markdown", "row_plot")] +
         ["cupel/report/show/waterfall_picture.cpp"]),
    "thresholds of a machine's power limit, link, governor and persistence mode":
        (rf"{FAULTY}(\.value_or\([^)]*\)|\(\))?{ORDERED}|{ORDERED}[\w.*()]*(->)?{FAULTY}", ["cupel/record/faults.cpp"]),
    "reasons for which a GPU is throttled: is_throttling(), which telemetry, doctor and the causes of a result ask":
        (r"\bis_throttling\b",
         ["cupel/record/faults.cpp", "cupel/record/faults.hpp", "cupel/device/telemetry.cpp", "cupel/doctor/judge_gpu.cpp", "cupel/figures/causes.cpp"]),
    "colours of verdicts on advice: advice_badges()":
        (r"Badge \w+\((const )?(advice::)?Advice|\{\"pays at some\", ", ["cupel/report/advise/verdicts.cpp"]),
    "compute capabilities that a precision takes: device::lacking()":
        (r"wants compute capability", ["cupel/device/peaks.cpp"]),
    "a start that went wrong, and which benchmark is suspect: restart_until_done(), for run, gate and calibrate":
        (r"\bstrikes_?\.add\(|\bkStrikes\)", ["cupel/runner/restart.cpp"]),
    "starts of an executable that measures: what run and gate hand to restart_until_done() starts it, and nothing else":
        (r"(?<![\w.])(attempt|start_once|start_foreign|start_own)\(|(?<!\w)GateStart \w+ = start\(",
         [f"cupel/runner/{file}" for file in ("attempt.cpp", "attempt.hpp", "gate_program.cpp", "gate_run.cpp", "gate_run.hpp", "run.cpp")]),
    "children: the runner's starts, listings and the doctor's, and the children of two families":
        (r"\brun_(child|listing)\(",
         [f"cupel/{file}" for file in ("host/child.cpp", "host/child.hpp", "runner/attempt.cpp", "runner/families.cpp", "runner/gate_program.cpp",
                                       "runner/run.cpp", "runner/shortest_work.cpp", "doctor/gather.cpp")] +
         [f"bench/{file}" for file in ("step/child_report.cpp", "step/profiles.cpp", "sync/launch_blocking.cpp")]),
    "processes: cupel/host, and the ranks and workers that share memory with whoever starts them":
        (r"(?<![\w:])(v?fork|posix_spawnp?|execv\w*|popen|system)\(|std::system\(",
         ["cupel/host/child.cpp", "bench/collective/launcher.cpp", "bench/pipeline/shared_memory.cpp", "bench/pipeline/worker.cpp"]),
    "parameters that tell benchmarks apart: pivots, facets and waterfalls, in figures; programs get all of them":
        (r"for \(const auto& \[\w+, \w+\] : (\w+(\.|->))*params\)",
         [f"cupel/figures/{file}" for file in ("facets.cpp", "fields.hpp", "waterfall.cpp")] +
         [f"cupel/export/{file}.cpp" for file in ("export_table", "figure_formats")]),
    "the processes of a benchmark that count: state_of(), for figures and suites":
        (r"return ProcessState::", ["cupel/figures/process.cpp"]),
    "fields of a comparison in JSON: one list, of which compare and gate print theirs":
        (r"\"(longer_tail|power_capped_share)\", ", ["cupel/compare/fields.hpp"]),
    "fields of a gate in JSON: one list":
        (r"\"(gateable|suspect|exit_code|without_figures|hard)\", \w+\.", [f"cupel/{file}/fields.hpp" for file in ("gate", "compare")]),
    "fields of a figure in JSON: one list":
        (r"\"(processes_s|flags|low_s|high_s)\", ", ["cupel/figures/fields.hpp"]),
    "fields of advice in JSON: one list":
        (r"\"(saved_s|judged_by|claim_held|no_difference|samples_per_second)\", ", ["cupel/advice/fields.hpp"]),
}

# What a file says of its machine, as text: figures/facts.cpp. Doctor and the probe judge the machine at hand, below these rooms.
FACTS = re.compile(r"\b(driver_version|cxx_compiler|cuda_compiler|cuda_architectures|sm_count|memory_bus_bits|l2_bytes|shared_bytes_per_sm|"
                   r"copy_engines|sm_clock_max_hz|memory_clock_max_hz|driver_cuda|numa_nodes|pci_id)\b")
ABOVE_FACTS = [f"cupel/{room}" for room in ("figures", "advice", "foretell", "compare", "gate", "history", "fleet", "bands", "export", "report", "runner")] +\
    ["cli"]


def lines(folders=("bench", "cupel", "kernels")):
    """(path, line) of every line of source that is no test."""
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix in (".cpp", ".hpp", ".cu", ".cuh") and "_test" not in file.name:
                path = file.relative_to(ROOT).as_posix()
                yield from ((path, line) for line in file.read_text(encoding="utf-8").splitlines())


class Once(unittest.TestCase):
    def test_a_fault_of_a_machine_is_judged_and_told_in_one_place(self):
        for words in (["powersave"], ["pcie-width"], ["pcie-generation"], ["nvidia-smi -pm 1"], ["frequency-set"], ["lspci -vv"],
                      ["hw_slowdown"], ["RelWithDebInfo"], ["nvidia-smi -pl"], ["nvidia-smi` shows it"]):
            allowed = {"cupel/record/faults.cpp"} | ({"cupel/device/nvml.cpp"} if words == ["hw_slowdown"] else set())  # NVML's names
            self.assertEqual(set(saying(*words)), allowed, words)

    def test_all_sentences_of_it_are_there_alone(self):
        sentences = [text for text in texts_of(FAULTS) if text.count(" ") > 3]
        self.assertGreater(len(sentences), 8)
        for sentence in sentences:
            self.assertEqual(saying(sentence), ["cupel/record/faults.cpp"], sentence)

    def test_the_meaning_of_a_warning_is_said_in_one_place(self):
        meanings = [text for text in texts_of(WARNINGS) if text.count(" ") > 3]
        self.assertEqual(len(meanings), 11)
        for meaning in meanings:
            self.assertEqual(saying(meaning), ["cupel/figures/warning.cpp"], meaning)
        self.assertEqual(saying("told from the cost of measuring", "threads waited for a CPU: "), ["cupel/figures/warning.cpp"])

    def test_the_facts_of_a_machine_are_one_list(self):
        merged = re.compile(r"(mine\.build\.\w+).* \1 = context\.build\.")  # what a further context of a run adds
        said = {path for path, line in lines(ABOVE_FACTS)
                if FACTS.search(COMMENT.sub("", line)) and "synthetic" not in path and not merged.search(line)}
        exports = {"cupel/export/export_table.cpp", "cupel/export/figure_formats.cpp"}  # columns and labels for programs, in the record's words
        of_itself = {"cli/benchmarks.cpp", "cli/main.cpp"}  # how the program itself was built
        self.assertEqual(said - exports - of_itself, {"cupel/figures/facts.cpp"})

    def test_the_samples_of_a_process_are_reduced_in_one_place(self):
        """Figures, suites and pairs of advice are built of its processes; who exports samples prints them."""
        reduced = re.compile(r"\binterquartile_mean(_of_sorted)?\(|\bstate_of\(|\bmain_series\(")
        said = {path for path, line in lines(ABOVE_FACTS) if reduced.search(COMMENT.sub("", line)) and "synthetic" not in path}
        self.assertEqual(said, {f"cupel/figures/{file}" for file in ("process.cpp", "process.hpp", "figure_mode.cpp", "causes.cpp")} |
                         {"cupel/export/export_table.cpp"})
        for builder in ("figures/figure.cpp", "figures/suite.cpp", "advice/pair.cpp"):
            self.assertRegex((ROOT / "cupel" / builder).read_text(encoding="utf-8"), r"\bprocess(es)?_of\(", builder)

    def test_json_is_written_from_lists_of_fields(self):
        """The record's rooms make the mechanism; a report fills no object by hand but those of other people's formats, and adds the rows of a
        gate, which are picked from two lists, to its report."""
        by_hand = re.compile(r"\bJson(\s+\w+)?\s*\{\{|\b(Json|json)::object\(|\bJson\s+\w+;|push_back\(\{\{\"|\bJson::(array|object)_t\b|\bnlohmann::"
                             r"|(?<!\bnotes)\[\"[^\"]*\"\](\[[^]]*\])* = |\.update\(\{")
        rooms = [f"cupel/{room.name}" for room in (ROOT / "cupel").iterdir() if room.name != "record"] + ["cli"]
        said = {(path, line.strip()) for path, line in lines(rooms) if by_hand.search(COMMENT.sub("", line))}
        openmetrics = {(path, line) for path, line in said if path == "cupel/export/figure_formats.cpp" and re.match(r"(if \(.*\) )?(labels|of)\[", line)}
        others = {(path, line) for path, line in said if path == "cupel/report/gate/other_tools.cpp"}
        self.assertTrue(openmetrics and others)
        self.assertEqual(said - openmetrics - others, {("cupel/report/gate/exports.cpp", 'root["rows"] = rows_json(report);')})

    def test_an_executable_is_started_by_the_engine_of_restarts_alone(self):
        """Run, gate and calibrate hand one function each to restart_until_done(), in which each starts an executable once."""
        calls = re.compile(r"(= |return )(attempt|start|start_once)\(")
        rooms = ("cupel/runner", "cli")
        said = collections.Counter((path.split("/")[-1], match[2]) for path, line in lines(rooms) if (match := calls.search(COMMENT.sub("", line))))
        self.assertEqual(dict(said), {("run.cpp", "start_once"): 1, ("run.cpp", "start"): 1, ("run.cpp", "attempt"): 1,
                                      ("gate_run.cpp", "start_once"): 1, ("gate_run.cpp", "start"): 1,
                                      ("gate_program.cpp", "start_once"): 2, ("gate_program.cpp", "attempt"): 1})
        loose = re.compile(r"(?<![\w:.>])start_once\(")
        self.assertEqual([(path, line) for path, line in lines(rooms) if loose.search(line) and not calls.search(line) and
                          not re.match(r"\s*(StartEnd|GateStart) start_once\(", line)], [])

    def test_a_piece_of_advice_is_described_by_its_page_alone(self):
        """Groups, causes and silences of a piece are in docs/advice/; a name of one word may mean something else in code."""
        heads = {head for page in (ROOT / "docs" / "advice").glob("*.md") for head in
                 re.findall(r"^## ([a-z0-9]+(?:-[a-z0-9]+)+)$", page.read_text(encoding="utf-8"), re.M)}
        self.assertGreater(len(heads), 50)
        self.assertEqual([(str(path.relative_to(ROOT)), text) for path in sources() for text in texts_of(path)
                          if text in heads and "synthetic" not in path.name], [])

    def test_no_header_only_forwards_or_holds_a_constant(self):
        """Such a file is a detour: what it holds belongs to the file that it serves."""
        nothing = re.compile(r"\s*(#include .*|#pragma once|(inline )?namespace .*\{|\}.*|using \S+;|)$")
        constant = re.compile(r"\s*(inline )?constexpr [^(]*;$")
        code = {}
        for path, line in lines(("bench", "cli", "cupel", "kernels")):
            if path.endswith((".hpp", ".cuh")):
                code.setdefault(path, [])
                if not nothing.match(COMMENT.sub("", line)):
                    code[path].append(COMMENT.sub("", line))
        self.assertEqual([path for path, rest in code.items() if not rest or (len(rest) == 1 and constant.match(rest[0]))], [])

    def test_no_folder_has_a_link_to_a_script_of_another(self):
        """Tests find program.py by a path."""
        self.assertEqual([str(path) for path in (ROOT / "tests").rglob("*.py") if path.is_symlink()], [])

    def test_nothing_is_said_in_a_second_place(self):
        everything = list(lines(("bench", "cli", "cupel", "kernels")))
        for what, (pattern, places) in ONCE.items():
            said = {path for path, line in everything if re.search(pattern, line)}
            self.assertEqual(said, set(places), what)


if __name__ == "__main__":
    main()
