"""The page of `cupel report` in a real browser, of all results in results/:  browser_test.py CUPEL CHROMIUM FOLDER

One browser opens each page once for all tests and takes its window through all widths. Pages, a screenshot of each section in both
themes and in a narrow window, and a print of one page stay in FOLDER.
"""

import base64
import gzip
import json
import os
import pathlib
import re
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
import unittest

CUPEL, CHROMIUM, FOLDER = sys.argv[1:4]
FOLDER = pathlib.Path(FOLDER).resolve()
HERE = pathlib.Path(__file__).resolve().parent

# Hosts that the browser asks by itself, for the time and for updates. No page names them.
OF_THE_BROWSER = re.compile(r"\b(google|googleapis|gstatic|gvt1)\.com\b")
WIDE, NARROW = (1400, 900), (400, 800)
BETWEEN = (1600, 1280, 1024, 768, 601, 340)  # further widths in which nothing is cut
WALK = (WIDE, *((width, WIDE[1]) for width in BETWEEN[:-1]), NARROW, (BETWEEN[-1], WIDE[1]))  # all of these, wide to narrow
RESULTS = HERE.parents[1] / "results"
FAMILIES = sorted(path.name.split(".")[0] for path in (RESULTS / "nvidia-h200").glob("*.json.gz"))
PROBES = {"two": ("beside", "devices"), "two-x2": ("beside",), "compare": ("rows",)}  # more of these pages than of all
AFRESH = ("nvidia-h200-x2", "two-x2")  # opened at both sizes, too: a window that was resized is to look the same
TRANSFER = f"family-{FAMILIES.index('transfer') + 1}-transfer"


class Proxy:
    """Where all of the browser's requests would go, and which there were."""

    def __enter__(self):
        requests = self.requests = []

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                if request := self.rfile.readline().decode("latin-1").strip():  # a browser also opens a connection ahead of what it may ask
                    requests.append(request)

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def flags(self):
        port = self.server.server_address[1]
        return [f"--proxy-server=http://127.0.0.1:{port}", "--proxy-bypass-list=<-loopback>"]


FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-sync", "--disable-background-networking",
         "--disable-component-update", "--disable-extensions", "--no-first-run", "--disable-features=OptimizationHints,MediaRouter,Translate,BackForwardCache"]


class Browser:
    """A browser that takes commands of the DevTools protocol by two pipes: objects of JSON, a NUL behind each. Source:
    https://chromedevtools.github.io/devtools-protocol/"""

    def __init__(self, *flags):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.out = os.pipe()
        into, answers = os.pipe()
        start = f'exec "$@" 3<&{commands} 4>&{answers}'  # these are the numbers that it reads from and writes to
        self.process = subprocess.Popen(
            ["sh", "-c", start, "sh", CHROMIUM, *FLAGS, *flags, f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(commands, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.answers, self.session, self.sent = os.fdopen(into, "rb"), {}, 0
        self.messages, self.text, self.theme = [], b"", None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        os.close(self.out)  # and so it ends
        self.process.wait(timeout=60)
        self.answers.close()
        self.profile.cleanup()

    def wait_for(self, wanted):
        while not (found := next(filter(wanted, self.messages), None)):
            part = self.answers.read1(1 << 16)
            if not part:
                raise RuntimeError(f"{CHROMIUM} has closed its pipe")
            *whole, self.text = (self.text + part).split(b"\0")
            self.messages += map(json.loads, whole)
        self.messages.remove(found)
        return found

    def call(self, method, **params):
        self.sent += 1
        os.write(self.out, json.dumps({"id": self.sent, "method": method, "params": params, **self.session}).encode() + b"\0")
        answer = self.wait_for(lambda message: message.get("id") == self.sent)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, page, size=WIDE, theme="light"):
        """Opens a page afresh. Returns the messages of its console."""
        self.messages.clear()
        self.call("Page.navigate", url="about:blank")
        self.wait_for(lambda message: message.get("method") == "Page.loadEventFired")
        self.resize(size, theme)  # of nothing: a page that is open would be laid out anew
        self.call("Page.navigate", url=page.as_uri() if isinstance(page, pathlib.Path) else page)
        self.wait_for(lambda message: message.get("method") == "Page.loadEventFired")
        self.call("Runtime.evaluate", expression=PROBE)
        return self.said()

    def said(self):
        """The messages of the console since the page was opened."""
        said = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(message["params"]) for message in self.messages if message.get("method") in said]

    def resize(self, size, theme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        if self.theme != theme:
            self.theme = theme
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression[:80]}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settle(self, frames=2):
        """Waits for what the page does once it is laid out: of a window that gets another width, in the same frame."""
        then = "setTimeout(done)"
        for _ in range(frames):
            then = f"requestAnimationFrame(() => {then})"
        self.call("Runtime.evaluate", expression=f"new Promise(done => {then})", awaitPromise=True)

    def screenshot(self, picture):
        picture.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]))


PROBE = (HERE / "probe.js").read_text(encoding="utf-8")


def lengthen_names(source, target):
    """The same results with names, scenarios and notes of 150 letters and no blank, which no real one has."""
    results = json.loads(gzip.decompress(source.read_bytes()))
    results["context"]["cupel"]["run"].setdefault("notes", {})["long"] = "/wait:every_step" * 10
    for row in results["benchmarks"]:
        row["name"] = row["run_name"] = row["name"] + "/threshold:zero" * 10
        for tag in row["cupel"].get("advice", []):
            tag["scenario"] = "impl_pool_" * 15 + "/" + tag["scenario"]
    target.write_text(json.dumps(results), encoding="utf-8")


def make_history(folder):
    """The page of 14 points, of which the last six have a slower AdamW, the last five another driver and the last three another board."""
    source = json.loads(gzip.decompress((RESULTS / "nvidia-h200" / "optimizer.json.gz").read_bytes()))
    context = source["context"]["cupel"]
    times = [(series, list(series["samples_s"]), row["name"]) for row in source["benchmarks"] for series in row["cupel"]["series"]]
    for number in range(14):
        context["run"].update(started=f"2026-10-{number + 1:02d}T04:00:00Z", ended=f"2026-10-{number + 1:02d}T05:00:00Z")
        context["build"]["git_revision"] = f"{number + 1:x}" * 40
        context["device"]["driver_version"] = "590.1" if number >= 9 else "580.159.04"
        context["device"]["uuid"] = "GPU-22222222" if number >= 11 else "GPU-11111111"
        for place, (series, samples, name) in enumerate(times):
            factor = (1 + 0.001 * ((number * 7 + place) % 5)) * (1.12 if number >= 8 and "adam" in name else 1)
            series["samples_s"] = [time * factor for time in samples]
        (folder / "point.json").write_text(json.dumps(source), encoding="utf-8")
        subprocess.run([CUPEL, "history", "add", "-q", folder / "point.json", folder / "history"], check=True)
    page = FOLDER / "history.html"
    subprocess.run([CUPEL, "history", folder / "history", "--format", "html", "-o", page], check=True)
    return page


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        folders = sorted(one.name for one in RESULTS.iterdir() if one.is_dir() and any(one.glob("*.json*")) and one.name != "runs")
        pages = {name: [RESULTS / name] for name in folders}
        pages["two"] = [RESULTS / "nvidia-h200", RESULTS / "nvidia-h100"]
        pages["two-x2"] = [RESULTS / "nvidia-h200-x2", RESULTS / "nvidia-h100-x2"]
        with tempfile.TemporaryDirectory() as data:
            lengthen_names(RESULTS / "nvidia-h200" / "sync.json.gz", pathlib.Path(data) / "long.json")
            pages["long"] = [pathlib.Path(data) / "long.json"]
            for name, files in pages.items():
                subprocess.run([CUPEL, "report", *files, "-o", FOLDER / f"{name}.html"], check=True, stdout=subprocess.DEVNULL)
        cls.pages = {name: FOLDER / f"{name}.html" for name in [*pages, "compare"]}
        with open(cls.pages["compare"], "wb") as page:
            subprocess.run([CUPEL, "compare", *pages["two"], "--format", "html"], stdout=page)
        cls.real = {name: page for name, page in cls.pages.items() if name != "long"}
        cls.h200 = cls.pages["nvidia-h200"]
        cls.proxy = Proxy().__enter__()
        cls.browser = Browser(*cls.proxy.flags)
        cls.console, cls.top, cls.layout, cls.cut, cls.broken, cls.found, cls.form, cls.afresh = {}, {}, {}, {}, {}, {}, {}, {}
        for name in cls.pages:
            cls.visit(name)
        for name in AFRESH:
            for size in (NARROW, WIDE):
                cls.afresh[name, size] = cls.look_afresh(name, size)
        cls.requests = list(cls.proxy.requests)

    @classmethod
    def visit(cls, name):
        cls.browser.open(cls.pages[name], NARROW)
        for size in (NARROW, WIDE):
            cls.browser.resize(size)
            cls.browser.settle()
            cls.top[name, size] = cls.browser.evaluate("probe.top()")
        cls.browser.evaluate("probe.open_all()")
        cls.browser.settle()
        for size in WALK:
            cls.browser.resize(size)
            cls.browser.settle(frames=1)
            cls.look(name, size)
        cls.console[name] = cls.browser.said()

    @classmethod
    def look(cls, name, size):
        cls.cut[name, size] = cls.browser.evaluate("probe.too_wide()")
        if size in (WIDE, NARROW):
            cls.layout[name, size] = cls.browser.evaluate("probe.layout()")
            cls.form[name, size] = cls.browser.evaluate("probe.form()")
        elif name == "nvidia-h100-full":
            cls.broken[size] = cls.browser.evaluate("probe.broken_names()")
        if size == WIDE:
            cls.found[name] = {what: cls.browser.evaluate(f"probe.{what}()") for what in PROBES.get(name, ())}
            if cls.pages[name] == cls.h200:
                cls.faint = {theme: cls.look_for_faint_text(theme) for theme in ("light", "dark")}

    @classmethod
    def look_for_faint_text(cls, theme):
        cls.browser.resize(WIDE, theme)
        return cls.browser.evaluate("probe.faint()")

    @classmethod
    def look_afresh(cls, name, size):
        cls.console[name, size] = cls.browser.open(cls.pages[name], size)
        top = cls.browser.evaluate("probe.top()")
        cls.browser.evaluate("probe.open_all()")
        cls.browser.settle()
        return top, cls.browser.evaluate("probe.layout()"), cls.browser.evaluate("probe.form()")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.proxy.__exit__()

    def test_loads_without_a_message_in_the_console_and_without_a_request(self):
        self.assertEqual({name: said for name, said in self.console.items() if said}, {})
        self.assertEqual([one for one in self.requests if not OF_THE_BROWSER.search(one)], [])
        for page in self.pages.values():
            self.assertIsNone(OF_THE_BROWSER.search(page.read_text(encoding="utf-8")))

    def test_runs_nothing_that_is_planted_in_it(self):
        copy = FOLDER / "planted.html"
        planted = "<script>console.error('planted')</script><img src='data:,' onerror='console.error(\"planted\")'>"
        copy.write_text(self.pages["nvidia-h100"].read_text(encoding="utf-8").replace("</body>", planted + "</body>"), encoding="utf-8")
        said = self.browser.open(copy)
        self.assertEqual([line for line in said if "consoleAPI" in line or '"planted"' in line], [])
        self.assertEqual(len([line for line in said if "Content Security Policy" in line]), 2)
        copy.unlink()

    def test_would_notice_a_message_and_a_request(self):
        control = FOLDER / "control.html"
        control.write_text("<img src='http://control.test/x.png'><script>console.error('control')</script>", encoding="utf-8")
        said = self.browser.open(control)
        self.assertIn("control", " ".join(said))
        self.assertIn("control.test", " ".join(self.proxy.requests))
        control.unlink()

    def test_is_complete_with_scripts_off(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.open(self.h200)
        dom = self.browser.call("DOM.getOuterHTML", nodeId=self.browser.call("DOM.getDocument")["root"]["nodeId"])["outerHTML"]
        self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
        for section in ("summary", "advice", "family-1-conv", TRANSFER, "environment", "method"):
            self.assertIn(f'<section id="{section}">', dom)
        self.assertIn('<div class="controls" hidden', dom)  # and so no script has run
        self.assertGreaterEqual(dom.count('<svg class="chart"'), 50)
        self.assertIn("transfer/h2d/memory:pinned/bytes:4096\n", dom)
        self.assertNotIn('id="tip"', dom)

    def test_begins_with_a_picture_and_the_advice(self):
        for name in ("nvidia-h200", "nvidia-h100", "two"):
            self.assertLess(self.top[name, WIDE]["advice"], 300, name)
            self.assertLess(self.top[name, NARROW]["advice"], NARROW[1], name)
            self.assertGreater(self.top[name, WIDE]["picture"], 3, name)
        self.assertTrue(all(found["folded"] for found in self.top.values()))

    def test_breaks_the_code_of_a_change_between_arguments_alone(self):
        words = """Array.from(document.querySelectorAll(".beside .data td:last-child")).flatMap(cell => {
            const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), all = [];
            for (let text; (text = walk.nextNode());)
              for (const word of text.data.matchAll(/[^\\s]+/g)) {
                const range = document.createRange();
                range.setStart(text, word.index);
                range.setEnd(text, word.index + word[0].length);
                all.push([word[0], new Set(Array.from(range.getClientRects(), box => Math.round(box.top))).size]);
              }
            return all;
          })"""
        self.browser.open(self.h200)
        for size in (WIDE, (1200, 900), (1100, 900)):
            self.browser.resize(size)
            self.browser.settle()
            found = self.browser.evaluate(words)
            self.assertGreater(len(found), 20)
            self.assertEqual([word for word, lines in found if lines > 1], [], size)

    def test_says_of_two_devices_on_the_first_screen_which_is_faster(self):
        for size in (WIDE, NARROW):
            self.assertLess(self.top["two", size]["faster"], size[1])
            self.assertIsNone(self.top["nvidia-h200", size]["faster"])

    def test_says_in_captions_what_is_a_figures_own(self):
        self.assertGreater(self.top["nvidia-h200", WIDE]["captions"], 500)
        self.assertLess(self.top["nvidia-h200", WIDE]["captions"], 900)  # of some 160 figures

    def test_opens_a_family_that_a_link_leads_to(self):
        for anchor in (TRANSFER, TRANSFER + "-2"):
            self.browser.open(self.h200.as_uri() + "#" + anchor)
            self.assertEqual(self.browser.evaluate("""Array.from(document.querySelectorAll("details.section[open]"),
                one => one.parentElement.id)"""), [TRANSFER])
            place = self.browser.evaluate(f'document.getElementById("{anchor}").getBoundingClientRect().top')
            self.assertTrue(-5 < place < WIDE[1], place)

    def test_shows_the_value_its_range_and_n_under_the_pointer_and_the_keys(self):
        self.browser.open(self.h200)
        self.browser.evaluate("probe.open_all()")
        found = self.browser.evaluate('probe.hover("transfer/h2d")')
        self.assertRegex(found["hover"], r"^transfer/h2d/memory:pageable/bytes:\d+\n")
        self.assertRegex(found["hover"], r"\n\d+(\.\d+)? GB/s, [\d.]+ % of PCIe 5.0 x16\n")
        self.assertRegex(found["hover"], r"\nrange [\d.]+ to [\d.]+ GB/s\n")
        self.assertRegex(found["hover"], r"\nn = 5 processes, \d+ samples, host")
        self.assertRegex(found["bar"], r" % of .*\nrange ")
        self.assertRegex(found["keys"], r"^transfer/h2d/memory:pageable/bytes:\d+\n")
        self.assertTrue(found["hidden_after_leaving"])

        found = self.browser.evaluate('probe.axes("transfer/h2d")')
        self.assertIn(found["scale"], (["log", "linear", "log"], ["linear", "log", "linear"]))
        self.assertNotEqual(found["places"][0], found["places"][1])
        for before, after in zip(found["places"][0], found["places"][2]):
            self.assertAlmostEqual(before, after, delta=0.02)
        self.assertEqual(found["shown"], 1)

        found = self.browser.evaluate('probe.copied("transfer/h2d")')
        self.assertRegex(found["text"], r"^benchmark\tsize\tbandwidth\tlow\thigh\ntransfer/h2d/memory:pageable/bytes:\d+\t\d+\t\d")
        self.assertEqual(found["link"], "#" + found["id"])
        self.assertFalse(found["left_open"])

    def test_filters_and_jumps_and_keeps_the_words_in_the_address(self):
        self.browser.open(self.h200)
        before = self.browser.evaluate('probe.type("")')
        found = self.browser.evaluate('probe.type("D2H pinned")')
        self.assertTrue(found["rows"] and all("d2h" in text and "pinned" in text for text in found["rows"]), found["rows"][:3])
        self.assertGreater(found["figures"], 0)
        self.assertNotIn("method", found["sections"])
        self.assertNotIn("family-3-gemm", found["sections"])
        self.assertIn(TRANSFER, found["sections"])
        self.assertEqual(found["hash"], "#filter=D2H%20pinned")
        jumps = self.browser.evaluate("probe.jump()")
        self.assertTrue(jumps["focused"])
        self.assertEqual([(hits, seen) for hits, _, seen in jumps["places"]], [(1, True)] * 3)
        first, second, back = (place for _, place, _ in jumps["places"])
        self.assertLess(first, second)
        self.assertEqual(back, first)
        self.assertEqual(self.browser.evaluate('probe.type("")'), {**before, "hash": ""})

        self.browser.open(self.h200.as_uri() + "#filter=D2H%20pinned")
        self.assertEqual(self.browser.evaluate('document.getElementById("filter").value'), "D2H pinned")
        self.assertEqual(self.browser.evaluate('probe.type("D2H pinned")'), found)

    def test_finds_a_row_by_the_full_name_of_which_it_shows_a_part(self):
        name = "memory/l2/read/sharing:all/bytes:50331648"
        for page in ("compare", "two"):
            self.browser.open(self.pages[page])
            found = self.browser.evaluate(f'probe.type("{name}")')
            self.assertTrue(found["rows"], page)
            self.assertEqual([row for row in found["rows"] if "48 mib" not in row and name not in row], [], page)

    def test_switches_devices(self):
        found = self.found["two"]["devices"]
        self.assertGreater(found["before"], 0)
        self.assertEqual(found["switched_off"], 0)
        self.assertGreater(found["gone"], 0)
        self.assertEqual(found["empty"], [])
        self.assertTrue(found["back"])

    def test_has_contrast_enough_to_read_all_text_in_both_themes(self):
        for theme, found in self.faint.items():
            self.assertEqual(found["dark"], theme == "dark")
            self.assertGreater(found["texts"], 10_000)
            self.assertEqual(found["too_faint"], [], theme)

    def test_overlaps_no_labels_cuts_no_table_and_overflows_no_window(self):
        for (name, size), found in self.layout.items():
            with self.subTest(page=name, width=size[0]):
                self.assertEqual(found["overlapping"], [])
                self.assertEqual(found["overflow"], 0)
                self.assertEqual(found["broken_words"], [])
                self.assertEqual(found["broken_names"], [])
                self.assertEqual(found["wide"], [])
                self.assertEqual(found["text_on_curves"], 0)
                self.assertGreater(found["tables"], 4)
                if name != "long":
                    self.assertEqual(found["cut"], [])
                if found["charts"]:
                    self.assertEqual(found["drawn_in"], 340 if size == NARROW else 560)

    def test_cuts_nothing_in_a_window_of_any_width(self):
        self.assertEqual(len(self.cut), len(WALK) * len(self.pages))
        self.assertEqual({window: cut for window, cut in self.cut.items() if cut}, {})

    def test_looks_in_a_window_that_was_resized_as_in_one_that_opens_so(self):
        for (name, size), found in self.afresh.items():
            walked = self.top[name, size], self.layout[name, size], self.form[name, size]
            self.assertEqual(found, walked, (name, size))
            self.assertGreater(len(found[2]), 20, (name, size))

    def test_breaks_no_part_of_a_name_in_a_window_of_any_width(self):
        self.assertEqual(self.broken, {(width, WIDE[1]): [] for width in BETWEEN})

    def test_has_two_devices_side_by_side_with_the_ratio(self):
        for name in ("two", "two-x2"):
            found = self.found[name]["beside"]
            self.assertGreater(found["tables"], 8, name)
            self.assertEqual(found["without_ratio"], [], name)
            self.assertEqual(found["stacked"], [], name)
            self.assertEqual(found["hidden"], [], name)
        pairs = self.found["two"]["beside"]["pairs"]
        self.assertGreater(len(pairs), 0)
        self.assertEqual([pair for pair in pairs if pair[0] != pair[1]], [])

    def test_compares_rows_before_those_of_one_side(self):
        found = self.found["compare"]["rows"]
        self.assertGreater(len(found["rows"]), 3)
        self.assertEqual([row for row in found["rows"] if "MISSING" in row or "ADDED" in row], [])
        self.assertRegex(" ".join(found["folded"]), r"\b\d+ (missing|added) \(\w+ \d+")
        self.assertRegex(found["titles"], "h200.*h100")

    def test_links_each_result_of_a_list_to_its_page(self):
        folder = FOLDER / "list"
        for name in ("nvidia-h200/sync", "nvidia-h100-sustained/gemm"):
            (folder / name).parent.mkdir(parents=True)
            shutil.copy(RESULTS / f"{name}.json.gz", folder / f"{name}.json.gz")
        shutil.copy(RESULTS / "nvidia-h200/memory.json.gz", folder)
        subprocess.run([CUPEL, "report", "--index", folder, "-q"], check=True)
        for width in (WIDE[0], *BETWEEN, NARROW[0]):
            self.assertEqual(self.browser.open(folder / "index.html", (width, 900)), [])
            self.browser.settle()
            self.assertEqual(self.browser.evaluate("probe.too_wide()"), [], width)
        links = self.browser.evaluate('Array.from(document.querySelectorAll("#results tbody tr"), row => row.querySelector("th a").getAttribute("href"))')
        self.assertEqual(sorted(links), ["./memory.html", "./nvidia-h100-sustained.html", "./nvidia-h200.html"])
        for link in links:
            self.assertEqual(self.browser.open(folder / link), [])
            self.assertIn("NVIDIA", self.browser.evaluate("document.querySelector('h1').textContent"))

    def test_keeps_a_number_with_its_unit_where_there_is_room(self):
        self.assertEqual(self.layout["nvidia-h200", WIDE]["split_numbers"], [])
        for name, size in self.layout:
            if name != "long" and size == WIDE:
                self.assertEqual(self.layout[name, size]["parted"], [], name)

    def test_says_a_fact_of_one_machine_without_its_name_in_a_narrow_window(self):
        self.browser.open(self.h200, NARROW)
        labels = 'Array.from(document.querySelectorAll("#environment td"), one => getComputedStyle(one, "::before").content)'
        self.assertEqual(set(self.browser.evaluate(labels)), {"none"})

    def test_has_the_trends_of_a_history_at_any_width(self):
        with tempfile.TemporaryDirectory() as data:
            page = make_history(pathlib.Path(data))
        for size in (WIDE, NARROW):
            self.assertEqual(self.browser.open(page, size), [])
            found = self.browser.evaluate("probe.layout()")
            for what in ("overlapping", "broken_words", "broken_names", "wide", "cut", "split_numbers"):
                self.assertEqual(found[what], [], f"{what}, {size}")
            self.assertEqual(found["overflow"], 0)
            self.assertEqual(found["charts"], 15)
        legend = self.browser.evaluate("document.querySelector('.legend').textContent")
        self.assertIn("driver: 580.159.04 -> 590.1 at aaaa", legend)
        self.assertIn("board: GPU-11111111 -> GPU-22222222 at cccc", legend)
        self.assertEqual(self.browser.evaluate("document.querySelector('svg.chart').querySelectorAll('.moment').length"), 3)  # the step, too

    def test_prints_how_to_apply_it(self):
        self.browser.open(self.pages["nvidia-h100"])
        self.browser.evaluate("""addEventListener("beforeprint", () => {
            window.printed = document.querySelectorAll("details[id^='how-'][open]").length; })""")
        pdf = FOLDER / "nvidia-h100.pdf"
        pdf.write_bytes(base64.b64decode(self.browser.call("Page.printToPDF", printBackground=True)["data"]))
        self.assertTrue(pdf.read_bytes().startswith(b"%PDF"))
        self.assertGreater(pdf.stat().st_size, 50_000)
        self.assertGreater(self.browser.evaluate("window.printed"), 4)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll(\"details[id^='how-'][open]\").length"), 0)

    def test_prints_no_picture_wider_than_its_card(self):
        self.browser.open(self.h200, (690, 900))
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.browser.theme = None  # so that the next window is a screen again
        found = self.browser.evaluate("""Array.from(document.querySelectorAll("#summary .picture table"),
            one => one.getBoundingClientRect().right - one.closest("figure").getBoundingClientRect().right)""")
        self.assertEqual(len(found), 1)
        self.assertLess(found[0], 0)

    def test_keeps_a_screenshot_of_each_section_in_both_themes(self):
        self.browser.open(self.h200)
        sections = self.browser.evaluate("probe.sections()")
        self.assertEqual(len(sections), len(FAMILIES) + 4)
        for width, themes in ((1400, ("light", "dark")), (400, ("light",))):
            self.browser.evaluate("probe.show_alone('none')")  # so that no other is laid out
            self.browser.resize((width, 2600))
            for section in sections:
                self.browser.evaluate(f"probe.show_alone('{section}')")
                for theme in themes:
                    self.browser.resize((width, 2600), theme)
                    self.browser.settle()
                    picture = FOLDER / f"{section}-{theme}-{width}.png"
                    self.browser.screenshot(picture)
                    self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
                    self.assertGreater(picture.stat().st_size, 15_000, picture)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
