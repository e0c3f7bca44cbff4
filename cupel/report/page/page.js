// What the page gains where scripts run: the value under the pointer, a filter, links that open what they lead to, data
// to copy, switches for devices and axes, and drawings for a narrow window. The page is complete without any of it. No
// value is computed here: texts are the page's own.
"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const made = (name, properties) => Object.assign(document.createElement(name), properties);
  const marks_in = root => all("circle, .mark, rect:not(.shaded)", root);
  document.documentElement.classList.add("scripts");

  // ---- The value under the pointer, or under the arrow keys ----
  const tip = document.body.appendChild(made("div", {id: "tip", hidden: true}));
  tip.setAttribute("role", "status");
  const texts = new Map();  // mark -> text; a title left in place would show a second tip
  for (const title of all("svg title")) {
    texts.set(title.parentNode, title.textContent);
    title.remove();
  }
  let current = null;

  function hide() {
    if (current) current.classList.remove("at");
    current = null;
    tip.hidden = true;
  }

  function show(mark) {
    if (mark === current) return;
    hide();
    current = mark;
    mark.classList.add("at");
    tip.textContent = texts.get(mark);
    tip.hidden = false;
    const at = mark.getBoundingClientRect(), box = tip.getBoundingClientRect();
    const x = Math.min(at.right + 12, innerWidth - box.width - 8);
    const y = at.top - box.height - 8;
    tip.style.left = Math.max(8, x) + "px";
    tip.style.top = (y < 8 ? at.bottom + 10 : y) + "px";
  }

  const shown = mark => mark.getClientRects().length > 0;

  function nearest(marks, x, y) {
    let best = null, least = 28 * 28;
    for (const mark of marks) {
      const box = mark.getBoundingClientRect();
      if (box.width === 0) continue;
      const dx = box.left + box.width / 2 - x, dy = box.top + box.height / 2 - y;
      if (dx * dx + dy * dy < least) {
        least = dx * dx + dy * dy;
        best = mark;
      }
    }
    return best;
  }

  const charts = all("svg.chart");
  for (const chart of charts) {
    const marks = marks_in(chart);
    chart.addEventListener("pointermove", event => {
      const mark = nearest(marks, event.clientX, event.clientY);
      mark ? show(mark) : hide();
    });
    chart.addEventListener("pointerleave", hide);
    chart.addEventListener("blur", hide);
    chart.tabIndex = 0;
    chart.addEventListener("keydown", event => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (event.key === "Escape") hide();
      if (!step) return;
      event.preventDefault();
      const there = marks.filter(shown);
      if (there.length) show(there[(there.indexOf(current) + step + there.length) % there.length]);
    });
  }
  for (const row of all("table.plot tbody tr")) {
    const marks = marks_in(row).filter(one => texts.has(one));
    if (!marks.length) continue;
    const cell = row.querySelector(".draw");
    const far = (mark, y) => {
      const box = mark.getBoundingClientRect();
      return box.height ? Math.abs(box.top + box.height / 2 - y) : Infinity;
    };
    const point = event => show(marks.reduce((a, b) => far(b, event.clientY) < far(a, event.clientY) ? b : a));
    cell.addEventListener("pointerenter", point);
    cell.addEventListener("pointermove", point);
    cell.addEventListener("pointerleave", hide);
  }
  addEventListener("scroll", hide, {passive: true});

  // ---- Logarithmic or linear, wide or narrow ----
  const pair = text => text.split(" ").map(Number);
  const values_of = mark => pair(mark.dataset.v);

  function scale_of(chart, name) {
    const [low, high] = pair(chart.dataset[name]), [start, end] = pair(chart.dataset.span);
    const part = name === "log"
        ? value => Math.log(value / low) / Math.log(high / low)
        : value => (value - low) / (high - low);
    return value => start + Math.min(1, Math.max(0, part(Math.min(high, Math.max(low, value))))) * (end - start);
  }

  const place_of = mark => mark.tagName === "circle"
      ? [mark.getAttribute("cx"), mark.getAttribute("cy")]
      : mark.getAttribute("transform").match(/[-.\d]+/g);

  function put(mark, x, y) {
    if (mark.tagName !== "circle") return mark.setAttribute("transform", `translate(${x} ${y})`);
    mark.setAttribute("cx", x);
    mark.setAttribute("cy", y);
  }

  function redraw(chart, name) {
    const y = scale_of(chart, name);
    for (const series of all(".series", chart)) {
      const points = marks_in(series).map(mark => {
        const [value, low, high] = values_of(mark), [x] = place_of(mark), line = mark.previousElementSibling;
        put(mark, x, y(value));
        if (line && line.classList.contains("whisker")) {
          line.setAttribute("y1", y(low));
          line.setAttribute("y2", y(high));
        }
        return {x, y: y(value), low: y(low), high: y(high)};
      });
      const path = (list, key) => list.map(point => point.x + " " + point[key]).join("L");
      const band = series.querySelector(".band");
      for (const line of all(".line", series)) line.setAttribute("d", "M" + path(points, "y"));
      if (band) band.setAttribute("d", "M" + path(points, "high") + "L" + path(points.slice().reverse(), "low") + "Z");
    }
    for (const guide of all(".guide", chart)) {
      const at = y(Number(guide.dataset.v)), line = guide.querySelector("line");
      line.setAttribute("y1", at);
      line.setAttribute("y2", at);
    }
    for (const shaded of all(".shaded", chart)) {
      const [low, high] = pair(shaded.dataset.v);
      shaded.setAttribute("y", y(high));
      shaded.setAttribute("height", y(low) - y(high));
    }
    for (const axis of all(".axis.y", chart)) axis.classList.toggle("off", !axis.classList.contains(name));
    chart.dataset.scale = name;
  }

  // The drawing in another width: what lies right of the axis of y moves, and labels of x without room go.
  function fit(chart, width) {
    const [left, margin] = pair(chart.dataset.x), was = chart.viewBox.baseVal;
    if (was.width === width) return;
    const part = (width - margin - left) / (was.width - margin - left);
    const moved = x => x <= left ? x : left + (x - left) * part;
    for (const element of all("line, text, rect", chart)) {
      for (const name of ["x", "x1", "x2"]) {
        if (element.hasAttribute(name)) element.setAttribute(name, moved(Number(element.getAttribute(name))));
      }
      if (element.hasAttribute("width")) element.setAttribute("width", Number(element.getAttribute("width")) * part);
    }
    for (const mark of marks_in(chart).filter(one => !one.matches("rect"))) {
      const [x, y] = place_of(mark).map(Number);
      put(mark, moved(x), y);
    }
    let free = 0;
    for (const label of all(".axis.x text:not(.title)", chart)) {
      const half = label.textContent.length * 3.5, at = Number(label.getAttribute("x"));
      const has_room = at - half >= free;
      label.classList.toggle("off", !has_room);
      if (has_room) free = at + half + 4;
    }
    chart.setAttribute("viewBox", `0 0 ${width} ${was.height}`);
    redraw(chart, chart.dataset.scale);
  }

  const narrow = matchMedia("(max-width: 600px)");
  const fit_charts = () => charts.forEach(chart => fit(chart, narrow.matches ? 340 : 560));
  narrow.addEventListener("change", fit_charts);
  fit_charts();

  // ---- A table that is wider than its place is drawn tighter, then as a card a row; in a narrow window each is ----
  const labelled = new Set();

  function label_cells(table) {
    if (labelled.has(table)) return;
    labelled.add(table);
    const titles = all("thead th", table).map(one => one.textContent);
    for (const row of all("tbody tr", table)) Array.from(row.cells).forEach((cell, i) => { cell.dataset.label = titles[i]; });
  }

  // form -> table -> the width that its rows need, kept once they were cut there: a layout of the whole page, only to see
  // that again, takes a third of a second.
  const needed = {plain: new Map(), tight: new Map()};
  const kept_numbers = "section:not(#advice) .data:not(.many)";  // from 1000 px on, as in the style
  matchMedia("(min-width: 1000px)").addEventListener("change", () => forget(all(kept_numbers)));

  function forget(tables) {
    for (const widths of Object.values(needed)) tables.forEach(table => widths.delete(table));
  }

  function room_of(table) {
    const around = table.parentElement.parentElement, {paddingLeft, paddingRight} = getComputedStyle(around);
    return around.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  }

  function form_of({table, room}) {
    const fits = form => !(needed[form].get(table) > room + 1);  // rounding may add one
    return !narrow.matches && ["plain", "tight"].find(fits) || "cards";
  }

  function draw({table, form}) {
    table.classList.toggle("tight", form !== "plain");
    table.classList.toggle("cards", form === "cards");
    if (form === "cards") label_cells(table);
  }

  // At most what a table gains by being tight: a part of the padding of each column, none of which many leave any; in a
  // figure its drawing, too, is smaller.
  const saved = table => table.matches(".plot") ? Infinity : table.matches(".many") ? 0 : 12 * table.tHead.rows[0].cells.length;

  function is_cut({table, room, form}) {
    const {scrollWidth, clientWidth} = table.parentElement;
    if (scrollWidth <= clientWidth + 1) return false;
    const width = Math.max(scrollWidth, room + 2);
    needed[form].set(table, width);
    if (form === "plain" && !needed.tight.has(table)) needed.tight.set(table, width - saved(table));
    return true;
  }

  function fit_tables(roots) {
    let cut = Array.from(new Set(roots.flatMap(root => all("table", root))))
      .filter(table => !table.closest(".picture, details:not([open])") && shown(table))
      .map(table => ({table, room: room_of(table)}));
    while (cut.length) {
      for (const one of cut) one.form = form_of(one);
      cut.forEach(draw);
      cut = cut.filter(one => one.form !== "cards").filter(is_cut);
    }
  }

  // A frame's callbacks come before its layout: an observer alone comes after all is prepared to be painted, in vain
  // where a table then changes its form.
  const main = document.querySelector("main"), sections = all("main > section");
  const fitted = new Map();  // section -> the width for which its tables are drawn

  function fit_sections() {
    const changed = sections.filter(one => fitted.get(one) !== one.clientWidth);
    for (const one of changed) fitted.set(one, one.clientWidth);
    fit_tables(changed);
  }
  addEventListener("resize", () => requestAnimationFrame(fit_sections));
  const observer = new ResizeObserver(fit_sections);
  for (const section of sections) observer.observe(section);
  const opened_now = new Set();  // fitted together: each alone is a layout of the whole page
  main.addEventListener("toggle", event => {
    if (opened_now.size === 0) requestAnimationFrame(() => {
      fit_tables(Array.from(opened_now));
      opened_now.clear();
    });
    opened_now.add(event.target);
  }, true);

  // ---- What a figure can do ----
  function data_of(figure) {
    const rows = all("table.plot tr", figure).map(row =>
      Array.from(row.cells).filter(cell => !cell.classList.contains("draw")).map(cell => cell.textContent));
    const chart = figure.querySelector("svg.chart");
    if (!chart) return rows;
    rows.push(["benchmark", ...all(".axis.x .title, :scope > .title", chart).map(one => one.textContent), "low", "high"]);
    for (const mark of marks_in(chart).filter(one => texts.has(one))) {
      const [y, low, high, x] = values_of(mark);
      rows.push([texts.get(mark).split("\n")[0], x, y, low, high]);
    }
    return rows;
  }

  function button(figure, label, act) {
    const one = made("button", {type: "button", className: "switch", textContent: label});
    one.addEventListener("click", () => act(one));
    figure.prepend(one);
  }

  for (const figure of all("figure[id]")) {
    button(figure, "copy data", one => {
      const there = figure.querySelector("textarea");
      if (there) return there.remove();
      const text = data_of(figure).map(row => row.join("\t")).join("\n") + "\n";
      const area = made("textarea", {readOnly: true, value: text, rows: 8});
      one.after(area);
      area.select();
      if (navigator.clipboard) navigator.clipboard.writeText(text).catch(() => {});
    });
  }
  const other = {log: "linear", linear: "log"};
  for (const chart of charts.filter(one => one.dataset.log)) {
    button(chart.closest("figure"), other[chart.dataset.scale] + " axis", one => {
      hide();
      redraw(chart, other[chart.dataset.scale]);
      one.textContent = other[chart.dataset.scale] + " axis";
    });
  }

  // ---- Devices: a figure of none but those that are switched off goes with them ----
  const has_only_away = series => series.length > 0 && series.every(one => one.classList.contains("away"));
  const series_of = new Map(all("main figure").map(one => [one, all(":is(svg.chart, .draw) .series", one)]));
  for (const box of all("[data-device]")) {
    box.addEventListener("change", () => {
      hide();
      for (const part of all("main .d" + box.dataset.device)) part.classList.toggle("away", !box.checked);
      for (const [figure, series] of series_of) figure.classList.toggle("away", has_only_away(series));
    });
  }

  // ---- Filter: every word must occur in a figure, in a row or its full name, or in what is folded by itself ----
  const box = document.getElementById("filter"), matches = document.getElementById("matches");
  const groups = new Map();  // row -> the words of the group that it stands in
  for (const table of all("main table.data")) {
    let group = "";
    for (const row of all("tbody tr", table)) {
      if (row.querySelector("[scope='rowgroup']")) group = row.textContent;
      groups.set(row, group);
    }
  }
  const text_of = element => [element.textContent, element.dataset.name || "", groups.get(element) || "",
    ...marks_in(element).map(mark => texts.get(mark) || "")].join(" ").toLowerCase();
  const drawn = all("figure").filter(figure => figure.querySelector("svg.chart"));
  const rows = all("main tbody tr").filter(row => !row.querySelector("[scope='rowgroup']"));
  const folded = all("main details[id]");
  const searched = new Map();
  const found_in = (element, words) => {
    if (!searched.has(element)) searched.set(element, text_of(element));
    return words.every(word => searched.get(element).includes(word));
  };
  const is_there = element => !element.closest(".filtered");
  let hits = [], hit = -1, was_open = new Set();

  function filter(words) {
    const is_on = words.length > 0;
    if (is_on && !document.body.classList.contains("filtering")) was_open = new Set(all("details[open]"));
    document.body.classList.toggle("filtering", is_on);
    for (const one of all(".hit")) one.classList.remove("hit");
    hits = drawn.concat(rows, folded).filter(one => {
      const keep = found_in(one, words);
      one.classList.toggle("filtered", !keep);
      return is_on && keep;
    });
    const is_hit = new Set(hits);
    const holds = new Set();  // all that a hit stands in
    for (const one of hits) {
      for (let around = one; around && !holds.has(around); around = around.parentElement) holds.add(around);
    }
    for (const part of all("main section, main .scroll, main figure, main details")) {
      if (!is_hit.has(part)) part.classList.toggle("filtered", is_on && !holds.has(part));
      if (part.matches("details")) part.open = is_on ? holds.has(part) && !is_hit.has(part) : was_open.has(part);
    }
    for (const group of all("[scope='rowgroup']")) {
      let row = group.parentElement.nextElementSibling;
      while (row && row.classList.contains("filtered") && !row.querySelector("[scope='rowgroup']")) row = row.nextElementSibling;
      group.parentElement.classList.toggle("filtered", is_on && (!row || !!row.querySelector("[scope='rowgroup']")));
    }
    hits = hits.filter(is_there);
    hits.sort((a, b) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
    hit = -1;
    const figures = all("figure").filter(is_there).length;
    forget(all("table"));  // other rows are shown
    fit_tables([main]);
    matches.textContent = is_on ? `${figures} figures, ${hits.filter(one => one.matches("tr")).length} rows` : "";
  }

  function jump(step) {
    if (hits.length === 0) return;
    if (hits[hit]) hits[hit].classList.remove("hit");
    hit = (hit + step + hits.length) % hits.length;
    hits[hit].classList.add("hit");
    hits[hit].scrollIntoView({block: "center"});
  }

  const words_of = text => text.toLowerCase().split(/\s+/).filter(Boolean);
  const kFilter = "#filter=";

  box.addEventListener("input", () => {
    hide();
    filter(words_of(box.value));
    history.replaceState(null, "", box.value.trim() ? kFilter + encodeURIComponent(box.value.trim()) : "#");
  });
  box.addEventListener("keydown", event => {
    if (event.key === "Enter") jump(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") box.blur();
  });
  addEventListener("keydown", event => {
    if (event.key !== "/" || event.target.matches("input, textarea")) return;
    event.preventDefault();
    box.select();
    box.focus();
  });

  // ---- The address: words of the filter, or what a link leads to, opened ----
  function follow() {
    const hash = location.hash;
    if (hash.startsWith(kFilter)) {
      box.value = decodeURIComponent(hash.slice(kFilter.length));
      return filter(words_of(box.value));
    }
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!target) return;
    if (target.closest(".filtered")) {
      box.value = "";
      filter([]);
    }
    const own = target.matches("section") ? target.querySelector("details") : target;
    for (let one = own; one; one = one.parentElement) {
      if (one.matches("details")) one.open = true;
    }
    fit_tables([main]);
    target.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  for (const controls of all(".controls")) controls.hidden = false;
  fit_sections();
  follow();

  // ---- On paper: how to apply it, and what to know of the numbers ----
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all(":is(details[id^='how-'], #summary > details, #first > details):not([open])");
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
})();
