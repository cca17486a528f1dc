/** Writes points with fractions, as in "2½". */
export function pointsText(points: number): string {
  const whole = Math.floor(points);
  const fraction = { 0: "", 0.25: "¼", 0.5: "½", 0.75: "¾" }[points - whole] ?? String(points - whole).slice(1);
  return whole === 0 && fraction ? fraction : `${whole}${fraction}`;
}
