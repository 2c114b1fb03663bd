// "Try it here": the viewer's page in place of its picture, in the scheme that the book has now.
document.addEventListener("click", event => {
  const button = event.target.closest("button[data-live]");
  if (!button) return;
  const dark = document.body.dataset.mdColorScheme === "slate";
  const frame = document.createElement("iframe");
  frame.src = button.dataset.live + (dark ? "&theme=dark" : "&theme=light");
  frame.title = "The viewer";
  const figure = button.closest("figure");
  for (const picture of figure.querySelectorAll("a.only-light, a.only-dark")) picture.remove();
  figure.prepend(frame);
  button.remove();
});
