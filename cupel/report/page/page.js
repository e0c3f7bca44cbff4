// What the page gains where scripts run: the value under the pointer, a filter, switches for devices and axes. The page
// is complete without any of it. No value is computed here: texts are the page's own.
"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));

  // ---- The value under the pointer, or under the arrow keys ----
  const tip = document.body.appendChild(document.createElement("div"));
  tip.id = "tip";
  tip.hidden = true;
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

  for (const chart of all("svg.chart")) {
    const marks = all("circle", chart);
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
    const mark = all("circle, rect:not(.shaded)", row).find(one => texts.has(one));
    if (!mark) continue;
    const cell = row.querySelector(".draw");
    cell.addEventListener("pointerenter", () => show(mark));
    cell.addEventListener("pointerleave", hide);
  }
  addEventListener("scroll", hide, {passive: true});

  // ---- Logarithmic or linear ----
  const pair = text => text.split(" ").map(Number);

  function scale_of(chart, name) {
    const [low, high] = pair(chart.dataset[name]), [start, end] = pair(chart.dataset.span);
    const part = name === "log"
        ? value => Math.log(value / low) / Math.log(high / low)
        : value => (value - low) / (high - low);
    return value => start + Math.min(1, Math.max(0, part(Math.min(high, Math.max(low, value))))) * (end - start);
  }

  function redraw(chart, name) {
    const y = scale_of(chart, name);
    for (const series of all(".series", chart)) {
      const points = all("circle", series).map(mark => {
        const [value, low, high] = mark.dataset.v.split(" ").map(Number);
        mark.setAttribute("cy", y(value));
        return {x: mark.getAttribute("cx"), y: y(value), low: y(low), high: y(high)};
      });
      all(".whisker", series).forEach(line => {
        const point = points.find(one => one.x === line.getAttribute("x1"));
        line.setAttribute("y1", point.low);
        line.setAttribute("y2", point.high);
      });
      const path = (list, key) => list.map(point => point.x + " " + point[key]).join("L");
      const line = series.querySelector(".line"), band = series.querySelector(".band");
      if (line) line.setAttribute("d", "M" + path(points, "y"));
      if (band) band.setAttribute("d", "M" + path(points, "high") + "L" + path(points.slice().reverse(), "low") + "Z");
    }
    for (const guide of all(".guide", chart)) {
      const at = y(Number(guide.dataset.v)), line = guide.querySelector("line"), text = guide.querySelector("text");
      if (text) text.setAttribute("y", at - 4);
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

  for (const chart of all("svg.chart[data-log]")) {
    const button = document.createElement("button");
    const other = {log: "linear", linear: "log"};
    const label = () => { button.textContent = other[chart.dataset.scale] + " axis"; };
    button.type = "button";
    button.className = "switch";
    label();
    button.addEventListener("click", () => {
      hide();
      redraw(chart, other[chart.dataset.scale]);
      label();
    });
    chart.closest("figure").prepend(button);
  }

  // ---- Devices ----
  for (const box of all("[data-device]")) {
    box.addEventListener("change", () => {
      hide();
      for (const part of all("main .d" + box.dataset.device)) part.classList.toggle("away", !box.checked);
    });
  }

  // ---- Filter: every word must occur in a figure or in a row ----
  const matches = document.getElementById("matches");
  const charts = all("figure").filter(figure => figure.querySelector("svg.chart"));
  const in_charts = new Map(charts.map(figure =>
    [figure, (figure.textContent + " " + all("circle", figure).map(mark => texts.get(mark) || "").join(" "))
      .toLowerCase()]));
  const rows = all("table.plot tbody tr, table.data:not(.facts) tbody tr");
  const in_rows = new Map(rows.map(row =>
    [row, (row.textContent + " " + all("circle, rect", row).map(mark => texts.get(mark) || "").join(" "))
      .toLowerCase()]));

  function filter(words) {
    let count = 0;
    for (const [figure, text] of in_charts) {
      const keep = words.every(word => text.includes(word));
      figure.classList.toggle("filtered", !keep);
      if (keep) ++count;
    }
    for (const [row, text] of in_rows) row.classList.toggle("filtered", !words.every(word => text.includes(word)));
    for (const figure of all("figure")) {
      if (in_charts.has(figure)) continue;
      const keep = all("tbody tr", figure).some(row => !row.classList.contains("filtered"));
      figure.classList.toggle("filtered", !keep);
      if (keep) ++count;
    }
    matches.textContent = words.length ? count + " figures" : "";
  }

  document.getElementById("filter").addEventListener("input", event => {
    hide();
    filter(event.target.value.toLowerCase().split(/\s+/).filter(Boolean));
  });
  for (const controls of all(".controls")) controls.hidden = false;
})();
