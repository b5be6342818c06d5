/** A key of a configuration in memory, `maxItems`, as TOML has it: `max_items`. */
export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
