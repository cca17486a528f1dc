import type { Rating } from "../wire";

/** Returns a rating as players write it: a provisional one with a question mark. */
export const ratingText = ({ rating, provisional }: Rating): string => `${rating}${provisional ? "?" : ""}`;
