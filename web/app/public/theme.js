// Runs before anything is drawn, so that a chosen theme never flashes the other one first.
try {
  const theme = JSON.parse(localStorage.getItem("acedrex.settings") || "{}").theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be refused or spoilt; then the system's theme stands.
}
