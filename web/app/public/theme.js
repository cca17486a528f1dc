// Runs before anything is drawn, so that a chosen theme or board never flashes another one first.
try {
  const { theme, board } = JSON.parse(localStorage.getItem("acedrex.settings") || "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (typeof board === "string") document.documentElement.dataset.board = board;
} catch {
  // Storage may be refused or spoilt; then the system's theme stands.
}
