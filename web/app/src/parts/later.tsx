import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

type Props<P> = P & { load: () => Promise<FunctionComponent<P>> };

/** A part of a page whose code is loaded after the page; nothing until then, or if it cannot be loaded. */
export function Later<P extends object>({ load, ...props }: Props<P>) {
  const [part, setPart] = useState<{ View: FunctionComponent<P> } | null>(null);
  useEffect(() => {
    load().then(
      (View) => setPart({ View }),
      () => undefined,
    );
  }, []);
  return part && <part.View {...(props as unknown as P)} />;
}
