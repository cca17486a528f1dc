// The browser's local storage. If it is full, blocked or corrupt, nothing is stored, and the app still works.

export function load(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(`acedrex.${key}`) ?? "null");
  } catch {
    return null;
  }
}

export function save(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(`acedrex.${key}`);
    else localStorage.setItem(`acedrex.${key}`, JSON.stringify(value));
  } catch {
    // The value lasts only until the page is closed.
  }
}
