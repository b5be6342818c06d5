import type { Json } from '../types/json.ts';
import { writeJson } from '../values/exact-json.ts';

/** JSON in one line with a blank after each comma and colon, so that it wraps where a reader would break it. */
export function spacedJson(value: Json): string {
  // Line breaks in texts are escaped, so all line breaks here are those of the layout.
  return writeJson(value, 1)
    .replaceAll(/(?<=[[{])\n */g, '')
    .replaceAll(/\n *(?=[\]}])/g, '')
    .replaceAll(/\n */g, ' ');
}
