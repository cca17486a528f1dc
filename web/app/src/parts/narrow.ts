import { useEffect, useState } from "preact/hooks";

/** A phone, upright or on its side; the same words stand in the style sheets. */
const narrow = matchMedia("(max-width: 800px) and (orientation: portrait), (max-height: 500px)");

/** Whether the page is a phone's, where the board takes all the width that the page gives it. */
export function useNarrow(): boolean {
  const [is, setIs] = useState(narrow.matches);
  useEffect(() => {
    const look = () => setIs(narrow.matches);
    narrow.addEventListener("change", look);
    return () => narrow.removeEventListener("change", look);
  }, []);
  return is;
}
