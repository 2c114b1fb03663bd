// "Try it here": the viewer's page in place of its picture, in the scheme that the book has now.
document.addEventListener("click", event => {
  const button = event.target.closest("button[data-live]");
  if (!button) return;
  const dark = document.body.dataset.mdColorScheme === "slate";
  const frame = document.createElement("iframe");
  // A little smaller than full size: the column is narrower than a window.
  frame.src = `${button.dataset.live}&scale=0.9&theme=${dark ? "dark" : "light"}`;
  frame.title = "The viewer";
  const figure = button.closest("figure");
  for (const picture of figure.querySelectorAll("a.only-light, a.only-dark")) picture.remove();
  figure.prepend(frame);
  button.remove();
});
