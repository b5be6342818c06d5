import type { Json } from '../../types/json.ts';
import type { Attack } from './chaos-state.ts';
import { contextAttackTypes } from './context-attack-types.ts';
import { jsonObjectOf, wordsOf } from './json-document.ts';
import { writeJson } from '../../values/exact-json.ts';

/** A prompt after the attacks on it, one after the other. */
export function attackPrompt(prompt: string, attacks: readonly Attack[]): string {
  let text = prompt;
  for (const striking of attacks) {
    const { attack, payload } = striking;
    const addition = contextAttackTypes[attack.type].fills === true ? filler(striking) : payload;
    switch (attack.strategy) {
      case 'append':
        text = `${text}\n\n${addition}`;
        break;
      case 'prepend':
        text = `${addition}\n\n${text}`;
        break;
      case 'replace':
        text = addition;
        break;
    }
  }
  return text;
}

/** What is read as a result or a document, with a payload in it: a JSON object gets a field for it, text a new line. */
export function injectText(text: string, payload: string): string {
  const object = jsonObjectOf(text);
  if (object === null) return `${text}\n${payload}`;
  return writeJson({ ...object, [INJECTED]: payload });
}

/** The same for a value: an object gets the field, a text the line; anything else stays as it is. */
export function injectValue(value: Json, payload: string): Json {
  if (typeof value === 'string') return injectText(value, payload);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return { ...value, [INJECTED]: payload };
}

const INJECTED = '_injected';

/** Filler that has been made, so that thousands of words are put together once. */
const made = new WeakMap<Attack, string>();

function filler(attack: Attack): string {
  const hit = made.get(attack);
  if (hit !== undefined) return hit;
  const words = wordsOf(attack.payload);
  const text =
    words.length === 0
      ? ''
      : Array.from({ length: attack.attack.injectTokens }, (_, at) => words[at % words.length]).join(' ');
  made.set(attack, text);
  return text;
}
