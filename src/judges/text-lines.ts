import { jsonIn } from '../values/json-in.ts';

/** The lines of a question of the form `name: "text"`, by name: what was shown, as it was before it was quoted. */
export function textLines(shown: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const line of shown.split('\n')) {
    const at = line.indexOf(': "');
    const text = at === -1 ? null : jsonIn(line.slice(at + 2));
    if (typeof text === 'string') lines.set(line.slice(0, at), text);
  }
  return lines;
}
