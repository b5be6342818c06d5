/** A module without its folders, which differ between clones, and without the `file:` URL around it. */
export function moduleName(module: string): string {
  return decodeURIComponent(module.split('/').at(-1) ?? module);
}
