"""The site of `cupel report --gallery` in a real browser, of all results in results/:

gallery_browser_test.py CUPEL CHROMIUM FOLDER
"""

import html
import shutil
import subprocess
import sys
import unittest

from browser_test import CUPEL, FOLDER, NARROW, OF_THE_BROWSER, RESULTS, WIDE, Browser, Proxy

ROW = "gemm/square/precision:bf16/n:8192"


class Gallery(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        folders = sorted(one for one in RESULTS.iterdir() if one.name.startswith("nvidia-"))
        subprocess.run([CUPEL, "report", "--bands", FOLDER / "no-bands", *folders, "--gallery", FOLDER / "site"], check=True, stdout=subprocess.DEVNULL)
        cls.pages = {page.stem: page for page in sorted((FOLDER / "site").glob("*.html"))}
        cls.proxy = Proxy().__enter__()
        cls.browser = Browser(*cls.proxy.flags)
        cls.console, cls.faint, cls.overflow = {}, {}, {}
        for name in cls.pages:
            cls.visit(name)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.proxy.__exit__()

    @classmethod
    def visit(cls, name):
        cls.console[name] = cls.browser.open(cls.pages[name])
        cls.overflow[name, WIDE] = cls.browser.evaluate("probe.layout()")["overflow"]
        for theme in ("light", "dark"):
            cls.browser.resize(WIDE, theme)
            cls.faint[name, theme] = cls.browser.evaluate("probe.faint()")
        cls.browser.open(cls.pages[name], NARROW)
        cls.overflow[name, NARROW] = cls.browser.evaluate("probe.layout()")["overflow"]

    def follow(self, link):
        """Clicks the first link whose address begins so."""
        self.browser.evaluate(f"document.querySelector('a[href^=\"{link}\"]').click()")
        self.browser.wait_for(lambda message: message.get("method") == "Page.loadEventFired")

    def seen(self):
        """The text of the row that the address leads to, where it is in the window."""
        return self.browser.evaluate("""(() => {
            const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
            const box = row.getBoundingClientRect();
            return box.height > 0 && box.top >= 0 && box.top < innerHeight ? row.closest("tr").textContent : "";
        })()""")

    def test_loads_without_a_message_in_the_console_and_without_a_request(self):
        self.assertGreater(len(self.pages), 12)
        self.assertEqual({name: said for name, said in self.console.items() if said}, {})
        self.assertEqual([one for one in self.proxy.requests if not OF_THE_BROWSER.search(one)], [])

    def test_has_text_that_can_be_read_in_both_themes(self):
        for page, theme in self.faint:
            self.assertEqual(self.faint[page, theme]["dark"], theme == "dark")
            self.assertEqual(self.faint[page, theme]["too_faint"], [], (page, theme))

    def test_is_no_wider_than_the_window(self):
        self.assertEqual({window: by for window, by in self.overflow.items() if by}, {})

    def test_is_complete_with_scripts_off(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.open(self.pages["family-gemm"])
        dom = self.browser.call("DOM.getOuterHTML", nodeId=self.browser.call("DOM.getDocument")["root"]["nodeId"])["outerHTML"]
        self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
        self.assertIn(f'id="{ROW}"', html.unescape(dom))

    def test_leads_from_the_models_to_one_and_on_to_a_row(self):
        self.browser.open(self.pages["index"])
        self.follow("model-nvidia-h200")
        self.assertIn("NVIDIA H200", self.browser.evaluate("document.querySelector('h1').textContent"))
        self.follow("family-gemm")
        self.assertEqual(self.browser.evaluate("location.pathname.split('/').pop()"), "family-gemm.html")

    def test_finds_rows_by_a_filter(self):
        self.browser.open(self.pages["family-gemm"])
        every, found = (self.browser.evaluate(f"probe.type('{words}')")["rows"] for words in ("", "square bf16"))
        self.assertEqual(found, [row for row in every if "square" in row and "bf16" in row])
        self.assertIn(ROW, " ".join(found))
        self.assertLess(len(found), len(every))

    def test_opens_at_the_row_of_an_address(self):
        self.browser.open(f"{self.pages['family-gemm'].as_uri()}#{ROW}")
        self.assertRegex(self.seen(), rf"^{ROW}\s*[\d.]+ ms")
        self.assertEqual(self.browser.evaluate("""getComputedStyle(document.getElementById(decodeURIComponent(location.hash.slice(1)))
            .closest("tr")).outlineStyle"""), "solid")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
