// Added to a copy of the page by browser_test.py: acts as a reader would, and leaves what it found as JSON in an element with the id "probe".
"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const visible = element => element.getClientRects().length > 0;
  const found = {};

  // ---- Contrast of all text, before anything is touched: WCAG 2.2, 1.4.3 ----
  const numbers = colour => (colour.match(/[\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => [r, g, b]
    .map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  function background(element) {
    for (let one = element; one; one = one.parentElement) {
      const colour = numbers(getComputedStyle(one).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  }
  for (const details of all("details")) details.open = true;
  const texts = all("body *").filter(element => visible(element) &&
    Array.from(element.childNodes).some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()) &&
    !["SCRIPT", "STYLE", "TITLE"].includes(element.tagName.toUpperCase()));
  found.texts = texts.length;
  found.too_faint = texts.flatMap(element => {
    const style = getComputedStyle(element);
    const ratio = contrast(numbers(element instanceof SVGElement ? style.fill : style.color), background(element));
    return ratio < 4.5 ? [`${element.tagName} ${element.textContent.slice(0, 40)}: ${ratio.toFixed(2)}`] : [];
  });
  found.dark = matchMedia("(prefers-color-scheme: dark)").matches;

  // ---- Labels of an axis lie beside each other, and the page within its window ----
  found.overlapping = [];
  for (const axis of all(".axis, thead .draw svg").filter(visible)) {
    const boxes = all("text", axis).map(text => [text.textContent, text.getBoundingClientRect()]);
    boxes.forEach(([name, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) {
        found.overlapping.push(`${name} | ${other} in ${axis.closest("figure").querySelector("h4").textContent}`);
      }
    }));
  }
  // ---- Columns as wide as their words: none of a few letters, blanks around it, is broken over lines ----
  found.broken_words = all("table td").filter(visible).flatMap(cell => all("*", cell).concat(cell))
    .flatMap(element => Array.from(element.childNodes)).filter(node => node.nodeType === Node.TEXT_NODE)
    .flatMap(text => Array.from(text.data.matchAll(/(?<!\S)\w{2,12}(?!\S)/g)).filter(word => {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      return new Set(Array.from(range.getClientRects(), box => Math.round(box.top))).size > 1;
    })).map(word => word[0]);

  found.overflow = Math.max(0, document.documentElement.scrollWidth - innerWidth);

  // ---- The value under the pointer ----
  const tip = document.getElementById("tip");
  const chart = document.querySelector("svg.chart"), marks = all("circle", chart);
  const point_at = (target, mark, type) => {
    const box = mark.getBoundingClientRect();
    target.dispatchEvent(new PointerEvent(type, {
      bubbles: true, clientX: box.left + box.width / 2 + 3, clientY: box.top + box.height / 2 - 3
    }));
  };
  point_at(chart, marks[8], "pointermove");  // at 256 MiB, where the devices lie far apart
  found.hover = tip.hidden ? "" : tip.textContent;
  chart.dispatchEvent(new PointerEvent("pointerleave"));
  found.hidden_after_leaving = tip.hidden;
  const bar = document.querySelector("#summary-limits tbody .draw");
  bar.dispatchEvent(new PointerEvent("pointerenter"));
  found.bar = tip.hidden ? "" : tip.textContent;
  bar.dispatchEvent(new PointerEvent("pointerleave"));
  chart.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
  found.keys = tip.hidden ? "" : tip.textContent;

  // ---- Axes ----
  const button = chart.closest("figure").querySelector(".switch");
  const place = () => marks.map(mark => Number(mark.getAttribute("cy")));
  found.scale = [chart.dataset.scale];
  found.places = [place()];
  for (let i = 0; i < 2; ++i) {
    button.click();
    found.scale.push(chart.dataset.scale);
    found.places.push(place());
  }
  found.axes_shown = all(".axis.y", chart).filter(visible).length;

  // ---- Devices ----
  const marks_of_b = () => all("main .d1 circle, main .d1 rect, main circle.d1").filter(visible).length;
  const box = document.querySelector("[data-device='1']");
  found.marks_of_b = marks_of_b();
  if (box) {
    box.click();
    found.marks_of_b_switched_off = marks_of_b();
    box.click();
  }

  // ---- Filter ----
  const filter = document.getElementById("filter");
  const figures = () => all("figure").filter(visible).length;
  const type = text => {
    filter.value = text;
    filter.dispatchEvent(new Event("input"));
  };
  found.figures = figures();
  type("D2H pinned");
  found.filtered_figures = figures();
  found.filtered_rows = all("section[id^='family-1'] table.data tbody tr").filter(visible)
    .map(row => row.textContent.toLowerCase());
  type("");
  found.figures_after = figures();

  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify(found);
  document.body.append(out);
})();
