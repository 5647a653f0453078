// All is there: the first view.
overview(false);
showLand();
arrange();
streets();
document.fonts?.ready.then(arrange);
let seen = phone.matches;
map.on("resize", () => {
  if (seen === phone.matches) return;
  seen = phone.matches;
  if (!current) overview(false);
});
