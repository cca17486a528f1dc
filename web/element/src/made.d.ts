// What build.mjs makes of the games and of the app's texts.

declare module "made:games" {
  const games: Record<
    string,
    { names: [en: string, fr: string]; start: string; kinds: [letter: string, art: string, en: string, fr: string][] }
  >;
  export default games;
}

declare module "made:sizes" {
  const sizes: Record<string, [files: number, ranks: number, several: boolean]>;
  export default sizes;
}

declare module "made:texts" {
  const texts: Record<import("../../core/src/limits.ts").Language, Record<string, string>>;
  export default texts;
}
