declare module "*?raw" {
  const text: string;
  export default text;
}

declare module "*.json" {
  const value: unknown;
  export default value;
}
