(() => {
  const figures = pictures.part("figures");
  pictures.drawAll(structuredClone(figures));
  pictures.drawForPaper(figures);
})();
