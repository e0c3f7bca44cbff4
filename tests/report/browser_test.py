"""The page of `cupel report` in a real browser:  browser_test.py CUPEL MAKE_RESULTS CHROMIUM FOLDER

Pages, a screenshot of each family in both themes and a print of the whole stay in FOLDER.
"""

import base64
import functools
import hashlib
import html
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

CUPEL, MAKE_RESULTS, CHROMIUM, FOLDER = sys.argv[1:5]
FOLDER = pathlib.Path(FOLDER).resolve()
HERE = pathlib.Path(__file__).resolve().parent

DARK = "--blink-settings=preferredColorScheme=0"
# Hosts that the browser asks by itself, for the time and for updates. No page names them.
OF_THE_BROWSER = re.compile(r"\b(google|googleapis|gstatic|gvt1)\.com\b")
SECTIONS = ["summary", "family-1-transfer", "family-2-sync", "family-3-gemm", "family-4-conv", "family-5-fusion",
            "family-6-memory", "family-7-host", "family-8-storage", "advice", "devices", "environment", "method"]


class Proxy:
    """Where all of the browser's requests would go, and which there were."""

    def __enter__(self):
        requests = self.requests = []

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                requests.append(self.rfile.readline().decode("latin-1").strip())

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
         "--disable-component-update", "--disable-extensions", "--no-first-run",
         "--disable-features=OptimizationHints,MediaRouter,Translate", "--enable-logging=stderr", "--log-level=0"]


def chromium(page, *flags):
    """Opens the page and ends. Returns what was printed, and the console's messages."""
    with tempfile.TemporaryDirectory() as profile:
        ended = subprocess.run([CHROMIUM, *FLAGS, f"--user-data-dir={profile}", *flags, pathlib.Path(page).as_uri()],
                               capture_output=True, text=True, timeout=120, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"{CHROMIUM} ended with {ended.returncode}: {ended.stderr[-2000:]}")
    return ended.stdout, re.findall(r"CONSOLE[:(].*", ended.stderr)


class OpenPage:
    """A page that stays open in a browser, which takes commands of the DevTools protocol by two pipes: objects of JSON, a NUL behind
    each. Source: https://chromedevtools.github.io/devtools-protocol/"""

    def __init__(self, page, width, height):
        self.page, self.size = page, {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.out = os.pipe()
        into, answers = os.pipe()
        start = f'exec "$@" 3<&{commands} 4>&{answers}'  # these are the numbers that it reads from and writes to
        self.browser = subprocess.Popen(
            ["sh", "-c", start, "sh", CHROMIUM, *FLAGS, f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe"],
            pass_fds=(commands, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.answers, self.session, self.sent = os.fdopen(into, "rb"), {}, 0
        self.messages, self.text = [], b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.call("Emulation.setDeviceMetricsOverride", **self.size)
        self.call("Page.enable")
        self.call("Page.navigate", url=pathlib.Path(self.page).as_uri())
        self.wait_for(lambda message: message.get("method") == "Page.loadEventFired")
        return self

    def __exit__(self, *_):
        os.close(self.out)  # and so it ends
        self.browser.wait(timeout=60)
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
        return self.wait_for(lambda message: message.get("id") == self.sent)["result"]


def with_part(page, kind, text, before):
    """The page with a style or a script of ours, which its policy lets in by its hash."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    page = page.replace(f"{kind}-src 'sha256-", f"{kind}-src 'sha256-{digest}' 'sha256-", 1)
    return page.replace(before, f"<{kind}>{text}</{kind}>{before}")


@functools.cache
def probed(page, *flags):
    """What probe.js found in the page, a JSON object: all that a reader may do with it, for all tests of that page at once."""
    copy = FOLDER / f"{page.stem}-probed.html"
    probe = (HERE / "probe.js").read_text(encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    copy.write_text(with_part(text, "script", probe, "</body>"), encoding="utf-8")
    dom, console = chromium(copy, "--dump-dom", "--window-size=1400,1000", *flags)
    copy.unlink()
    found = re.search(r'<pre id="probe">(.*?)</pre>', dom, re.DOTALL)
    if not found:
        raise RuntimeError(f"the probe did not end: {console}")
    return json.loads(html.unescape(found.group(1)))


def without_scripts(page):
    """The document that the page is where its scripts may not run: in a sandboxed frame, read from outside."""
    copy = FOLDER / "without-scripts.html"
    inner = html.escape(page.read_text(encoding="utf-8"))
    copy.write_text(f"""<iframe sandbox="allow-same-origin" srcdoc="{inner}"></iframe><script>
        onload = () => {{
          const inside = document.querySelector("iframe").contentDocument.documentElement.outerHTML;
          document.body.replaceChildren(Object.assign(document.createElement("pre"), {{id: "inside", textContent: inside}}));
        }};</script>""", encoding="utf-8")
    dom, _ = chromium(copy, "--dump-dom")
    copy.unlink()
    return html.unescape(re.search(r'<pre id="inside">(.*)</pre>', dom, re.DOTALL).group(1))


def screenshot(page, section, theme):
    """One section alone, as tall as it is long, up to what a screenshot can hold."""
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    page.call("Runtime.evaluate", expression=f"""for (const one of document.querySelectorAll("main > section"))
        one.style.display = one.id === "{section}" ? "block" : "none";""")
    picture = FOLDER / f"{section}-{theme}.png"
    picture.write_bytes(base64.b64decode(page.call("Page.captureScreenshot", format="png")["data"]))
    return picture


def lengthen_names(source, target):
    """The same results with names, scenarios and notes of 150 letters and no blank."""
    results = json.loads(source.read_text(encoding="utf-8"))
    results["context"]["cupel"]["run"]["notes"]["long"] = "/wait:every_step" * 10
    for row in results["benchmarks"]:
        row["name"] = row["run_name"] = row["name"] + "/threshold:zero" * 10
        for tag in row["cupel"].get("advice", []):
            tag["scenario"] = "impl_pool_" * 15 + "/" + tag["scenario"]
    target.write_text(json.dumps(results), encoding="utf-8")


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as data:
            subprocess.run([MAKE_RESULTS, data], check=True)
            lengthen_names(pathlib.Path(data) / "a.json", pathlib.Path(data) / "long.json")
            for name, files in (("one", ["a"]), ("two", ["a", "b"]), ("long", ["long"])):
                subprocess.run([CUPEL, "report", *[os.path.join(data, f"{file}.json") for file in files], "-o",
                                FOLDER / f"{name}.html"], check=True, stdout=subprocess.DEVNULL)
        cls.two = FOLDER / "two.html"

    def test_loads_without_a_message_in_the_console_and_without_a_request(self):
        with Proxy() as proxy:
            for name in ("one", "two"):
                _, console = chromium(FOLDER / f"{name}.html", "--dump-dom", *proxy.flags)
                self.assertEqual(console, [])
                self.assertIsNone(OF_THE_BROWSER.search((FOLDER / f"{name}.html").read_text(encoding="utf-8")))
            self.assertEqual([one for one in proxy.requests if not OF_THE_BROWSER.search(one)], [])

    def test_runs_nothing_that_is_planted_in_it(self):
        copy = FOLDER / "planted.html"
        planted = "<script>console.error('planted')</script><img src='data:,' onerror='console.error(\"planted\")'>"
        copy.write_text(self.two.read_text(encoding="utf-8").replace("</body>", planted + "</body>"), encoding="utf-8")
        _, console = chromium(copy, "--dump-dom")
        self.assertEqual([line for line in console if '"planted"' in line], [])
        self.assertEqual(len([line for line in console if "Content Security Policy" in line]), 2)
        copy.unlink()

    def test_would_notice_a_message_and_a_request(self):
        control = FOLDER / "control.html"
        control.write_text("<img src='http://control.test/x.png'><script>console.error('control')</script>",
                           encoding="utf-8")
        with Proxy() as proxy:
            _, console = chromium(control, "--dump-dom", "--virtual-time-budget=2000", *proxy.flags)
            self.assertIn("control", " ".join(console))
            self.assertIn("control.test", " ".join(proxy.requests))
        control.unlink()

    def test_is_complete_with_scripts_off(self):
        dom = without_scripts(self.two)
        for section in SECTIONS:
            self.assertIn(f'<section id="{section}">', dom)
        self.assertIn('<div class="controls" hidden', dom)  # and so no script has run
        self.assertGreaterEqual(dom.count('<svg class="chart"'), 10)
        self.assertIn("transfer/h2d/memory:pinned/bytes:4096\nTest GPU A\n", html.unescape(dom))
        self.assertNotIn('id="tip"', dom)

    def test_shows_the_value_its_range_and_n_under_the_pointer(self):
        tip = probed(self.two)["hover"]
        self.assertRegex(tip, r"^transfer/h2d/memory:pageable/bytes:268435456\nTest GPU A\n")
        self.assertRegex(tip, r"\n\d+(\.\d+)? GB/s, [\d.]+ % of PCIe 5.0 x16\n")
        self.assertRegex(tip, r"\nrange [\d.]+ to [\d.]+ GB/s\n")
        self.assertRegex(tip, r"\nn = 5 processes, 150 samples, host")

    def test_shows_the_value_of_a_bar_and_of_the_point_that_the_keys_reach(self):
        found = probed(self.two)
        self.assertRegex(found["bar"], r"% of PCIe 5.0 x16\nrange ")
        self.assertRegex(found["keys"], r"^transfer/h2d/memory:pageable/bytes:4096\n")
        self.assertTrue(found["hidden_after_leaving"])

    def test_filters_figures_and_rows(self):
        found = probed(self.two)
        self.assertGreater(found["figures"], found["filtered_figures"])
        self.assertGreater(found["filtered_figures"], 0)
        self.assertTrue(all("d2h" in text for text in found["filtered_rows"]), found["filtered_rows"][:3])
        self.assertGreater(len(found["filtered_rows"]), 0)
        self.assertEqual(found["figures_after"], found["figures"])

    def test_switches_devices_and_axes(self):
        found = probed(self.two)
        self.assertGreater(found["marks_of_b"], 0)
        self.assertEqual(found["marks_of_b_switched_off"], 0)
        self.assertEqual(found["scale"], ["log", "linear", "log"])
        self.assertNotEqual(found["places"][0], found["places"][1])
        for before, after in zip(found["places"][0], found["places"][2]):
            self.assertAlmostEqual(before, after, delta=0.02)
        self.assertEqual(found["axes_shown"], 1)

    def test_has_contrast_enough_to_read_all_text_in_both_themes(self):
        for theme, flags in (("light", []), ("dark", [DARK])):
            found = probed(self.two, *flags)
            self.assertEqual(found["dark"], theme == "dark")
            self.assertGreater(found["texts"], 1000)
            self.assertEqual(found["too_faint"], [], theme)

    def test_overlaps_no_labels_and_overflows_no_window(self):
        found = probed(self.two)
        self.assertEqual(found["overlapping"], [])
        self.assertEqual(found["overflow"], 0)
        narrow = probed(self.two, "--window-size=500,900")
        self.assertEqual(narrow["overflow"], 0)
        self.assertEqual(found["broken_words"] + narrow["broken_words"], [])
        self.assertEqual(probed(FOLDER / "long.html", "--window-size=500,900")["overflow"], 0)

    def test_prints(self):
        pdf = FOLDER / "two.pdf"
        chromium(self.two, f"--print-to-pdf={pdf}", "--no-pdf-header-footer")
        self.assertTrue(pdf.read_bytes().startswith(b"%PDF"))
        self.assertGreater(pdf.stat().st_size, 50_000)

    def test_keeps_a_screenshot_of_each_section_in_both_themes(self):
        with OpenPage(self.two, width=1400, height=2600) as page:
            pictures = [screenshot(page, section, theme) for theme in ("light", "dark") for section in SECTIONS]
        for picture in pictures:
            self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
            self.assertGreater(picture.stat().st_size, 20_000, picture)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
