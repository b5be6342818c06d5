const SEPARATORS = [':', '=', ' - '];

/**
 * Fields that the lines of a prompt name (`Industry: farming`), under keys without case and punctuation; the last of
 * one name counts.
 */
export function structuredFields(prompt: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of prompt.split(/\r\n|\r|\n/)) {
    const separator = SEPARATORS.find((one) => line.includes(one));
    if (separator === undefined) continue;
    const at = line.indexOf(separator);
    const key = fieldKey(line.slice(0, at));
    if (key !== '') fields.set(key, line.slice(at + separator.length).trim());
  }
  return fields;
}

/** `productName`, `Product name` and `product_name` are one field. */
export function fieldKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
