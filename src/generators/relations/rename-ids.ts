import type { GeneratedScenario, SeededRandom } from '../../plugin/generator-type.ts';
import type { Json } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { jsonText } from '../../values/json-text.ts';
import { setOwn } from '../../values/set-own.ts';
import { type Related, related } from './related.ts';

/** Every id has another name of the same shape, wherever it stands as a word of its own: in keys, texts and patterns. */
export function renameIds({ document, ids = [] }: GeneratedScenario, random: SeededRandom): Related | null {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return null;
  const names = new Map<string, string>();
  // No id may get a name that means something already.
  const text = jsonText(document);
  const taken = new Set<string>();
  for (const id of distinct) {
    const name = newName(id, (word) => taken.has(word) || text.includes(word), random);
    if (name === null) return { ok: false, problem: `There is no other name of the shape of the id "${id}".` };
    taken.add(name);
    names.set(id, name);
  }
  // Longer ids first: one may begin another.
  const longest = [...distinct].sort((a, b) => b.length - a.length).map(literal);
  const words = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${longest.join('|')})(?![\\p{L}\\p{N}_-])`, 'gu');
  return related(renamed(document, (part) => part.replace(words, (word) => names.get(word) ?? word)));
}

/** So often another name is tried. */
const TRIES = 100;

/** Digits become other digits; where there are none, small letters become other letters. Null: nothing can change. */
function newName(id: string, isTaken: (name: string) => boolean, random: SeededRandom): string | null {
  const part = /\d/.test(id) ? /\d/g : /[a-z]/g;
  for (let n = 0; n < TRIES; n++) {
    const name = id.replace(part, (letter) =>
      /\d/.test(letter) ? String(random.below(10)) : String.fromCharCode(97 + random.below(26)),
    );
    if (name !== id && !isTaken(name)) return name;
  }
  return null;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Generated documents are not nested deeply: `plainCopy` bounds them. */
function renamed(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (isJsonArray(value)) return value.map((part) => renamed(part, change));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) setOwn(copy, change(key), renamed(value[key] as Json, change));
  return copy;
}
