(() => {
  const { colours, config, drawAll, dressed, make, narrow, part } = pictures;
  const figures = part("figures");
  const people = part("people");
  const lives = new Map(people.lives.map((life) => [life.id, life]));
  // ---- one person's life

  function beliefs(title, { number, top }) {
    const list = make("ul");
    for (const [id, belief] of top) {
      const item = make("li");
      const known = lives.has(id);
      const name = make(known ? "button" : "span", people.names[id], known ? "link" : "");
      if (known) {
        name.type = "button";
        name.addEventListener("click", () => choose(id));
      }
      item.append(name, ` ${belief}\u00a0% sure`);
      list.append(item);
    }
    if (!number) list.append(make("li", "nobody"));
    if (number > top.length) list.append(make("li", `and ${number - top.length} more`));
    const part = make("div");
    part.append(make("h4", title), list);
    return part;
  }

  function tell(life) {
    const place = document.getElementById("life");
    place.replaceChildren(
      make("h3", life.name),
      ...[life.about, life.fate].filter(Boolean).map((text) => make("p", text)),
      make("p", life.truth, "truth"),
      make("p", life.record),
      make("p", life.standing),
    );
    const pairs = make("div", undefined, "beliefs");
    pairs.append(beliefs("Suspected by", life.by), beliefs("Suspects", life.on));
    const list = make("ul");
    for (const id of life.story) {
      const [night, text] = people.events[id];
      const item = make("li");
      item.append(make("span", `Night ${night}`, "when"), text);
      list.append(item);
    }
    if (!life.story.length) list.append(make("li", "Nothing worth telling happened."));
    document.getElementById("story").replaceChildren(pairs, make("h4", "The story"), list);
  }

  function purse(life) {
    const place = document.getElementById("purse-plot");
    place.hidden = life.nights.length === 0;
    if (place.hidden) return;
    const [nights, median] = people.median;
    const few = life.nights.length < 2;
    const axis = { automargin: true, title: { standoff: 10 } };
    const figure = {
      data: [
        { x: nights, y: median, name: "median of all", mode: "lines",
          line: { color: "#8a8580", dash: "dot", width: 2 }, hoverinfo: "skip" },
        { x: life.nights, y: life.purse, name: "this purse", mode: few ? "markers" : "lines",
          line: { color: "#0072B2", width: 3 }, hovertemplate: "night %{x}: %{y} gp<extra></extra>" },
      ],
      layout: {
        height: 260,
        paper_bgcolor: "rgba(0,0,0,0)",
        plot_bgcolor: "rgba(0,0,0,0)",
        font: { size: 14, family: getComputedStyle(document.body).fontFamily },
        margin: { l: 10, r: 16, t: 10, b: 10 },
        legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
        dragmode: false,
        xaxis: { ...axis, title: { text: "Night", standoff: 10 }, showgrid: false, zeroline: false,
          ...(nights.length <= 11 ? { dtick: 1 } : {}) },
        yaxis: { ...axis, title: { text: "Purse (gp)", standoff: 10 }, rangemode: "tozero" },
      },
    };
    place.setAttribute("aria-label", `Purse of ${life.name} over time, beside the median of all`);
    Plotly.react(place, figure.data, dressed(figure.layout), config);
  }

  // ---- the network: rings and arrows round the one chosen

  const network = document.getElementById("network-plot");
  const places = new Map();

  function remember(figure) {
    for (const trace of figure.data) {
      (trace.customdata ?? []).forEach((id, i) => places.set(id, [trace.x[i], trace.y[i]]));
    }
  }

  function arrow(from, to, colour, standoff) {
    const [x, y] = places.get(to);
    const [ax, ay] = places.get(from);
    return {
      x, y, ax, ay, xref: "x", yref: "y", axref: "x", ayref: "y", text: "", showarrow: true,
      arrowhead: 2, arrowsize: 1, arrowwidth: 1.6, arrowcolor: colour, standoff, opacity: 0.9,
    };
  }

  function point(life) {
    if (!network) return;
    const here = places.get(life.id);
    const { ink } = colours();
    const arrows = people.edges.flatMap(([observer, subject]) => {
      if (subject === life.id) return [arrow(observer, subject, ink, 21)];
      return observer === life.id ? [arrow(observer, subject, "#0072B2", 8)] : [];
    });
    const ring = here && {
      type: "circle", xref: "x", yref: "y", xsizemode: "pixel", ysizemode: "pixel",
      xanchor: here[0], yanchor: here[1], x0: -19, x1: 19, y0: -19, y1: 19,
      line: { color: colours().ink, width: 3 },
    };
    Plotly.relayout(network, { annotations: arrows, shapes: ring ? [ring] : [] });
  }

  const select = document.getElementById("who");

  function choose(id) {
    const life = lives.get(id);
    if (!life) return;
    select.value = String(id);
    tell(life);
    purse(life);
    point(life);
  }

  function fillSelect() {
    const count = new Map();
    people.lives.forEach(({ name }) => count.set(name, (count.get(name) ?? 0) + 1));
    for (const { id, name } of people.lives) {
      const option = make("option", count.get(name) > 1 ? `${name} (no. ${id})` : name);
      option.value = String(id);
      select.append(option);
    }
    select.addEventListener("change", () => choose(Number(select.value)));
  }

  function fewNames() {
    const names = network?.data?.findIndex((trace) => trace.name === "names");
    if (names === undefined || names < 0) return;
    Plotly.restyle(network, { visible: !narrow.matches }, [names]);
    Plotly.restyle(network, { visible: narrow.matches }, [names + 1]);
  }

  // ---- the events

  function filterEvents() {
    const words = document.getElementById("words").value.trim().toLowerCase();
    const group = document.getElementById("group").value;
    let found = 0;
    for (const night of document.querySelectorAll(".night")) {
      let here = 0;
      for (const item of night.querySelectorAll("li")) {
        const fits = (!group || item.dataset.group === group)
          && (!words || item.textContent.toLowerCase().includes(words));
        item.hidden = !fits;
        here += fits;
      }
      night.hidden = here === 0;
      if (words && here) night.open = true;
      found += here;
    }
    document.getElementById("found").textContent = words || group ? `${found} found` : "";
  }

  function watchEvents() {
    const words = document.getElementById("words");
    if (!words) return;
    words.addEventListener("input", filterEvents);
    document.getElementById("group").addEventListener("change", filterEvents);
    const button = document.getElementById("all-nights");
    button.addEventListener("click", () => {
      const nights = [...document.querySelectorAll(".night")];
      const open = nights.some((night) => !night.open);
      nights.forEach((night) => { night.open = open; });
      button.textContent = open ? "Fold all nights" : "Open all nights";
    });
  }

  // ---- start

  watchEvents();
  fillSelect();
  if (figures.network) remember(figures.network);
  drawAll(figures);
  fewNames();
  if (lives.size) choose(people.first ?? people.lives[0].id);
  network?.on?.("plotly_click", (event) => choose(event.points[0].customdata));
  narrow.addEventListener("change", fewNames);
})();
