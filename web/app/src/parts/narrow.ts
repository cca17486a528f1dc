import { useEffect, useState } from "preact/hooks";

/** Phones, in both orientations, and tablets upright; the style sheets have the same media query. */
const narrow = matchMedia(
  "(max-width: 800px) and (orientation: portrait), (max-aspect-ratio: 3 / 4), (max-height: 500px)",
);

/** Whether the screen is one where the board takes the whole width. */
export function useNarrow(): boolean {
  const [is, setIs] = useState(narrow.matches);
  useEffect(() => {
    const look = () => setIs(narrow.matches);
    narrow.addEventListener("change", look);
    return () => narrow.removeEventListener("change", look);
  }, []);
  return is;
}
