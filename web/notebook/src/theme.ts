// Dark or light, like the page around the widget: Jupyter and VS Code declare it, elsewhere the background tells.

/** Keep an element's theme in step with the page's; returns a function that ends it. */
export function followTheme(element: HTMLElement): () => void {
  const { body, documentElement } = document;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const look = () => {
    const theme = isDark(element) ? "dark" : "light";
    if (element.dataset.theme !== theme) element.dataset.theme = theme;
  };
  const changes = new MutationObserver(look);
  for (const watched of [body, documentElement]) changes.observe(watched, { attributes: true });
  system.addEventListener("change", look);
  look();
  // The element is not in the page yet, so that its background is known only in the next frame.
  const frame = requestAnimationFrame(look);
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
    system.removeEventListener("change", look);
  };
}

function isDark(element: HTMLElement): boolean {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (vscodeThemeKind) return /dark|high-contrast$/.test(vscodeThemeKind);
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers(getComputedStyle(at).backgroundColor);
    if (alpha > 0.5) return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function numbers(colour: string): number[] {
  return colour.startsWith("rgb") ? (colour.match(/[\d.]+/g) ?? []).map(Number) : [0, 0, 0, 0];
}
