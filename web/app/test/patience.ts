import { vi } from "vitest";

// By default it waits for a second, which may be too short on a busy machine.
const { waitFor } = vi;
vi.waitFor = (condition, options = 30_000) => waitFor(condition, options);
