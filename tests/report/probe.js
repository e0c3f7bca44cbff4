// Evaluated in each page by browser_test.py: what a reader would see or do there, as functions that return plain values.
"use strict";
window.probe = (() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const visible = element => element.getClientRects().length > 0;
  const near = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const name_of = element => (element.closest("figure[id], section[id]") || document.body).id;

  // ---- Contrast of all text: WCAG 2.2, 1.4.3 ----
  const numbers = colour => (colour.match(/[\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => [r, g, b]
    .map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  function faint() {
    const backgrounds = new Map();
    const background = element => {
      if (!element) return [255, 255, 255];
      if (!backgrounds.has(element)) {
        const colour = numbers(getComputedStyle(element).backgroundColor);
        backgrounds.set(element, colour.length === 3 || colour[3] > 0 ? colour : background(element.parentElement));
      }
      return backgrounds.get(element);
    };
    const texts = all("body *").filter(element => visible(element) &&
      Array.from(element.childNodes).some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()) &&
      !["SCRIPT", "STYLE", "TITLE"].includes(element.tagName.toUpperCase()));
    const too_faint = texts.flatMap(element => {
      const style = getComputedStyle(element);
      const ratio = contrast(numbers(element instanceof SVGElement ? style.fill : style.color), background(element));
      return ratio < 4.5 ? [`${element.tagName} ${element.textContent.slice(0, 40)}: ${ratio.toFixed(2)}`] : [];
    });
    return {dark: matchMedia("(prefers-color-scheme: dark)").matches, texts: texts.length, too_faint};
  }

  // ---- Lines ----
  const is_tall = element => element.offsetHeight > 25;  // more than a line, and so it is shown
  const range = document.createRange();

  function lines_of(node, start, end) {
    range.setStart(node, start);
    range.setEnd(node, end);
    return new Set(Array.from(range.getClientRects(), box => Math.round(box.top))).size;
  }

  const has_lines = element => is_tall(element) && lines_of(element, 0, element.childNodes.length) > 1;

  function texts_in(element) {
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), texts = [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    return texts;
  }

  // What a pattern finds in these elements and what stands in more than one line. Texts that have none are not measured: most of them.
  const broken = (elements, pattern) => elements
    .map(element => [element, texts_in(element).filter(text => text.data.search(pattern) >= 0)])
    .flatMap(([element, texts]) => texts.length && is_tall(element) ? texts.filter(text => lines_of(text, 0, text.length) > 1) : [])
    .flatMap(text => Array.from(text.data.matchAll(pattern))
      .filter(part => lines_of(text, part.index, part.index + part[0].length) > 1)
      .map(part => `${part[0]} in ${name_of(text.parentElement)}`));

  // Parts of names of benchmarks, between slashes and colons, stay in one piece, and so do names with underscores in any text that has room.
  const broken_names = () =>
    broken(all("table tbody th, figure h4 code").filter(cell => /[/:]\S/.test(cell.textContent)), /\S+/g)
      .concat(broken(all("main :is(p, li, dd, td, figcaption)"), /(?<!\S)(?=\S*_)\S{1,36}(?!\S)/g));

  // ---- Places: nothing overlaps, is cut, or is wider than its card ----
  function layout() {
    const overlapping = [];
    for (const axis of all(".axis, thead .draw svg").filter(visible)) {
      const boxes = all("text", axis).filter(visible).map(text => [text.textContent, text.getBoundingClientRect()]);
      boxes.forEach(([name, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
        if (near(a, b)) overlapping.push(`${name} | ${other} in ${name_of(axis)}`);
      }));
    }
    const cells = all("table :is(td, tbody th)").filter(has_lines);  // most have one, in rows that are taller
    const numbers = cells.filter(cell => cell.matches("section:not(#advice) table.data .num"));
    const broken_words = broken(cells.filter(cell => cell.matches("td")), /(?<!\S)\w{2,12}(?!\S)/g);
    const cut = all(".scroll").filter(one => one.scrollWidth > one.clientWidth + 1)
      .map(one => `${name_of(one)}: ${one.scrollWidth} in ${one.clientWidth}`);
    const wide = all("figure svg").filter(visible).filter(drawing => {
      const box = drawing.getBoundingClientRect(), card = drawing.closest("figure").getBoundingClientRect();
      return box.left < card.left - 1 || box.right > card.right + 1;
    }).map(name_of);
    const split_numbers = numbers.map(cell => `${cell.textContent} in ${name_of(cell)}`);
    // A number stands in one line with its unit, also where a cell of several numbers takes more lines.
    const parted = broken(numbers.filter(cell => cell.matches("td")),
      /[\d.]+ (?:%|\/ \d+|(?!to(?:$|[ )]))[A-Za-z]{1,6}(?:\/s)?)(?=$|[ )])/g);
    const chart = all("svg.chart").find(visible);
    return {split_numbers, parted, overlapping, broken_words, broken_names: broken_names(), cut, wide, tables: all("table").filter(visible).length,
      drawn_in: chart ? chart.viewBox.baseVal.width : 0, charts: all("svg.chart").length,
      text_on_curves: all("svg.chart text:not(.axis text):not(.title)").length,
      overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth)};
  }

  // How each table and chart is drawn, and where: the same in each window of a width, however it got that width.
  const form = () => all("main > section, table, svg.chart").map(one => {
    const {left, top, width, height} = one.getBoundingClientRect();
    return [name_of(one), one.getAttribute("class"), one.getAttribute("viewBox"), ...[left, top + scrollY, width, height].map(Math.round)].join(" ");
  });

  // Tables that need to be scrolled, cells that run into others, and the page where it needs to be scrolled.
  const too_wide = () => all(".scroll, .cards :is(th, td)").filter(one => one.scrollWidth > one.clientWidth + 1)
    .map(one => `${name_of(one)}: ${one.scrollWidth} in ${one.clientWidth}`)
    .concat(document.documentElement.scrollWidth > innerWidth ? ["page"] : []);

  // Of two devices: which tables of figures have a ratio, and which marks of lines hide one another.
  function beside() {
    const has = (row, device) => all("td.num.d" + device, row).some(cell => cell.textContent);
    const tables = all("details.section table").filter(table => all("tbody tr", table).some(row => has(row, 0) && has(row, 1)));
    const ratio = table => all("thead th", table).some(one => one.textContent.includes(" / "));
    const x_of = mark => mark.tagName === "circle" ? mark.getAttribute("cx") : mark.getAttribute("transform").match(/[-.\d]+/g)[0];
    const hidden = all("svg.chart").filter(chart => {
      const first = new Set(all(".d0.series > :is(circle, .mark)", chart).map(x_of));
      return all(".d1.series > :is(circle, .mark)", chart).some(mark => first.has(x_of(mark)));
    });
    const stacked = all("details.section table.plot").filter(table => {
      const of_one = device => all("tbody tr", table).filter(row => all(".series", row).every(one => one.matches(".d" + device))).map(row => row.cells[0].textContent);
      const first = new Set(of_one(0));
      return of_one(1).some(label => first.has(label));
    });
    const pairs = all("figure.begins").map(figure => [figure, figure.nextElementSibling].map(one => one.getBoundingClientRect().top));
    return {pairs, tables: tables.length, without_ratio: tables.filter(table => !ratio(table)).map(name_of), hidden: hidden.map(name_of), stacked: stacked.map(name_of)};
  }

  // What a page of two sides compares, and what it folds.
  function rows() {
    const table = document.querySelector("#benchmarks > .scroll table");
    return {rows: all("tbody tr", table).map(row => row.textContent), titles: table.tHead.textContent,
      folded: all("#benchmarks summary").map(one => one.textContent)};
  }

  const families = () => all("details.section");

  // ---- Where the advice begins ----
  function top() {
    const first = document.querySelector("#summary .beside table.data tbody tr");
    const faster = all("#summary .beside p").find(one => /against .*, by geometric means: /.test(one.textContent));
    return {faster: faster ? faster.getBoundingClientRect().bottom : null, advice: first ? first.getBoundingClientRect().top : null, folded: families().every(one => !one.open),
      picture: all("#summary .picture tbody tr").length,
      captions: all("figcaption").flatMap(one => one.textContent.trim().split(/\s+/)).length};
  }

  // ---- The value under the pointer ----
  const tip = document.getElementById("tip");
  const said = () => tip.hidden ? "" : tip.textContent;
  const chart_of = operation => all("figure").find(figure =>
    figure.querySelector("svg.chart") && figure.querySelector("h4 code").textContent === operation).querySelector("svg.chart");
  const marks_in = chart => all(".series > circle, .series > .mark", chart);

  function hover(operation) {
    const chart = chart_of(operation), marks = marks_in(chart), found = {};
    const box = marks[8].getBoundingClientRect();
    chart.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: box.left + box.width / 2 + 3, clientY: box.top + box.height / 2 - 3}));
    found.hover = said();
    chart.dispatchEvent(new PointerEvent("pointerleave"));
    found.hidden_after_leaving = tip.hidden;
    const bar = document.querySelector("#summary-limits tbody .draw");
    bar.dispatchEvent(new PointerEvent("pointerenter"));
    found.bar = said();
    bar.dispatchEvent(new PointerEvent("pointerleave"));
    chart.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
    found.keys = said();
    return found;
  }

  const button = (chart, words) => all(".switch", chart.closest("figure")).find(one => one.textContent.includes(words));

  function axes(operation) {
    const chart = chart_of(operation);
    const place = () => marks_in(chart).map(mark => mark.getAttribute("cy") || mark.getAttribute("transform").match(/[-.\d]+/g)[1]).map(Number);
    const found = {scale: [chart.dataset.scale], places: [place()]};
    for (let i = 0; i < 2; ++i) {
      button(chart, "axis").click();
      found.scale.push(chart.dataset.scale);
      found.places.push(place());
    }
    found.shown = all(".axis.y", chart).filter(visible).length;
    return found;
  }

  function copied(operation) {
    const chart = chart_of(operation), figure = chart.closest("figure");
    button(chart, "copy data").click();
    const text = figure.querySelector("textarea").value;
    button(chart, "copy data").click();
    const self = figure.querySelector(".self").getAttribute("href");
    return {text, link: self, id: figure.id, left_open: figure.querySelector("textarea") !== null};
  }

  function devices() {
    const marks_of_b = () => all("main .d1 circle, main .d1 rect, main .d1 .mark").filter(visible).length;
    const figures_drawn = () => all("main figure").filter(figure => visible(figure) && all(".series", figure).length > 0);
    const is_empty = figure => !all(":is(svg.chart, .draw) .series", figure).some(visible);
    const box = document.querySelector("[data-device='1']"), before = marks_of_b(), drawn = figures_drawn().length;
    box.click();
    const found = {before, switched_off: marks_of_b(), gone: drawn - figures_drawn().length, empty: figures_drawn().filter(is_empty).map(name_of)};
    box.click();
    return {...found, back: figures_drawn().length === drawn};
  }

  // ---- The filter ----
  const filter = document.getElementById("filter");
  const figures = () => all("figure").filter(visible);

  function type(text) {
    filter.value = text;
    filter.dispatchEvent(new Event("input"));
    return {figures: figures().length, rows: all("main table.data tbody tr").filter(visible).filter(row => !row.querySelector("[scope='rowgroup']"))
      .map(row => row.textContent.toLowerCase()), sections: all("main > section").filter(visible).map(one => one.id),
      titles: figures().map(one => one.textContent.toLowerCase().slice(0, 100)), hash: location.hash, folded: families().every(one => !one.open)};
  }

  function press(key, on = document.body, shiftKey = false) {
    on.dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey, bubbles: true, cancelable: true}));
  }

  function jump() {
    press("/");
    const focused = document.activeElement === filter, places = [];
    for (const shift of [false, false, true]) {
      press("Enter", filter, shift);
      const hits = all(".hit"), box = hits[0].getBoundingClientRect();
      places.push([hits.length, all("tr, figure, details").indexOf(hits[0]), box.bottom > 0 && box.top < innerHeight]);
    }
    return {focused, places};
  }

  const open_all = (root = document) => { for (const details of all("details", root)) details.open = true; };
  const sections = () => all("main > section").map(one => one.id);

  function show_alone(id) {
    for (const section of all("main > section")) section.style.display = section.id === id ? "block" : "none";
    if (sections().includes(id)) open_all(document.getElementById(id));
  }

  return {faint, layout, form, too_wide, broken_names, beside, rows, top, hover, axes, copied, devices, type, jump, open_all, sections, show_alone};
})();
