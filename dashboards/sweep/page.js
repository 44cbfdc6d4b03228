(() => {
  // Large enough for a slide.
  pictures.config.toImageButtonOptions = { format: "png", scale: 3 };
  pictures.drawAll(pictures.part("figures"));

  // One outcome at a time: whichever list is used, all figures follow.
  const lists = [...document.querySelectorAll(".choose select")]
    .filter((list) => list.id !== "nights-plot-view");
  let isFollowing = false;
  const follow = (chosen) => {
    if (isFollowing) return;
    isFollowing = true;
    for (const list of lists) {
      if (list === chosen || list.value === chosen.value) continue;
      list.value = chosen.value;
      list.dispatchEvent(new Event("change"));
    }
    isFollowing = false;
  };
  for (const list of lists) list.addEventListener("change", () => follow(list));
})();
