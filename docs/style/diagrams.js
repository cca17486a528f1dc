// A diagram of a piece becomes a board when it is clicked: readers put the piece on other squares.

for (const diagram of document.querySelectorAll(".diagram")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "open";
  button.title = "Try this piece";
  button.append(...diagram.childNodes);
  diagram.append(button);
  button.addEventListener("click", () => {
    const board = document.createElement("acedrex-board");
    for (const [name, value] of Object.entries(diagram.dataset)) board.setAttribute(name, value);
    diagram.classList.add("opened");
    diagram.replaceChildren(board);
  });
}
