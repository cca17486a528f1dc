// What this browser keeps. Storage may be full, refused or spoilt: then nothing is kept and the app still works.

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
    // Kept until the page is closed, no longer.
  }
}
