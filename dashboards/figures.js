"use strict";
// What all pages with figures share: looks, other views, and paper.
const pictures = (() => {
  const config = {
    displaylogo: false,
    responsive: true,
    modeBarButtonsToRemove: [
      "sendChartToCloud", "lasso2d", "select2d", "autoScale2d", "zoomIn2d", "zoomOut2d",
    ],
  };
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const narrow = window.matchMedia("(max-width: 40rem)");

  // As wide as A4 and Letter have room for, in pixels of print.
  const PAPER = 680;

  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  // ---- looks: a figure takes its ink and its lines from the page

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(name).trim();
    return { ink: get("--ink"), line: get("--line"), soft: get("--soft"), card: get("--card") };
  }

  function looks(layout) {
    const { ink, line, soft, card } = colours();
    const change = {
      "font.color": ink,
      "hoverlabel.bgcolor": card,
      "hoverlabel.bordercolor": soft,
      "hoverlabel.font.color": ink,
      "modebar.color": soft,
      "modebar.activecolor": ink,
      "modebar.bgcolor": "rgba(0,0,0,0)",
    };
    for (const key of Object.keys(layout)) {
      if (/^[xy]axis\d*$/.test(key)) {
        Object.assign(change, {
          [`${key}.gridcolor`]: line, [`${key}.linecolor`]: line, [`${key}.zerolinecolor`]: soft,
        });
      }
    }
    return change;
  }

  function dressed(layout) {
    for (const [path, value] of Object.entries(looks(layout))) {
      const keys = path.split(".");
      const last = keys.pop();
      keys.reduce((part, key) => (part[key] ??= {}), layout)[last] = value;
    }
    return layout;
  }

  // Names in a crowd stay readable if they carry the paper round them.
  function withHalo(data) {
    const halo = Array(4).fill(`0 0 3px ${colours().card}`).join(", ");
    for (const trace of data) if (trace.mode === "text") trace.textfont.shadow = halo;
    return data;
  }

  const drawn = () => [...document.querySelectorAll(".js-plotly-plot")];
  const redress = () => drawn().forEach((plot) => {
    withHalo(plot.data);
    Plotly.relayout(plot, looks(plot.layout));
  });

  function draw(id, figure) {
    const place = document.getElementById(id);
    place.style.minHeight = "";
    return Plotly.newPlot(place, withHalo(figure.data), dressed(figure.layout), config);
  }

  // ---- what a figure says of itself: other views to choose, another shape for a phone

  function show(place, views, chosen) {
    const traces = place.data.flatMap((trace, i) => (trace.meta?.view === undefined ? [] : [i]));
    Plotly.restyle(place, { visible: traces.map((i) => place.data[i].meta.view === chosen) }, traces);
    if (views[chosen].layout) Plotly.relayout(place, structuredClone(views[chosen].layout));
  }

  function chooser(place, { views, choose: label }) {
    const box = make("div", undefined, "choose");
    const note = make("p", views[0].note, "note");
    note.setAttribute("aria-live", "polite");
    if (views.length > 1) {
      const list = make("select");
      list.id = `${place.id}-view`;
      const text = make("label", label);
      text.htmlFor = list.id;
      views.forEach(({ title }, i) => list.append(new Option(title, i)));
      list.addEventListener("change", () => {
        note.textContent = views[list.value].note ?? "";
        show(place, views, Number(list.value));
      });
      const line = make("p", undefined, "screen");
      line.append(text, list);
      box.append(line);
    }
    if (views.some((view) => view.note)) box.append(note);
    place.before(box);
  }

  function fit(place) {
    const meta = place.layout.meta;
    if (meta?.narrow) Plotly.relayout(place, structuredClone(narrow.matches ? meta.narrow : meta.wide));
  }

  // ---- all figures of a page, which follow the light, the window and the paper

  const part = (id) => JSON.parse(document.getElementById(id).textContent);

  function drawAll(figures) {
    for (const [id, figure] of Object.entries(figures)) {
      draw(`${id}-plot`, figure);
      const place = document.getElementById(`${id}-plot`);
      if (figure.layout.meta?.views) chooser(place, figure.layout.meta);
      fit(place);
    }
  }

  // Some figures change their size at leisure, too late for a printer: paper gets pictures.
  async function drawForPaper(figures) {
    for (const [id, figure] of Object.entries(figures)) {
      const place = document.getElementById(`${id}-plot`);
      const size = { width: PAPER, height: figure.layout.meta?.paper ?? figure.layout.height };
      const picture = make("img", undefined, "paper");
      picture.src = await Plotly.toImage(structuredClone(figure), { format: "svg", ...size });
      picture.alt = place.getAttribute("aria-label");
      place.after(picture);
      place.classList.add("screen");
    }
  }

  narrow.addEventListener("change", () => drawn().forEach(fit));
  dark.addEventListener("change", redress);
  window.addEventListener("beforeprint", () => {
    drawn().forEach((plot) => Plotly.relayout(plot, { ...looks(plot.layout), width: PAPER }));
  });
  window.addEventListener("afterprint", () => {
    drawn().forEach((plot) => Plotly.relayout(plot, { ...looks(plot.layout), width: null, autosize: true }));
  });

  return { colours, config, drawAll, drawForPaper, dressed, make, narrow, part };
})();
