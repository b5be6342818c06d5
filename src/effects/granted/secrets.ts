import { visibleText } from '../../policy/visible-text.ts';
import type { Grant } from '../../types/permissions.ts';
import { SECRET, secretsIn } from '../../values/secret-names.ts';
import { anyOf, secretSpellings } from '../../values/secret-spellings.ts';
import { grantsWord } from '../granted-ports.ts';

/** Secrets of the environment: put in at the last moment, and taken out of whatever comes back. */
export interface Secrets {
  /** The sentence that names the flag for the first secret that is not granted; null: all are. */
  refusal(headers: Readonly<Record<string, string>>): string | null;
  /** Header values with their secrets in place. Reads only what is granted. */
  fill(headers: Readonly<Record<string, string>>): FilledHeaders | { readonly problem: string };
  /** A text without the values of secrets that were ever filled in, plain or encoded. */
  scrub(text: string): string;
}

export interface FilledHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Names of headers that hold a secret, in lower case. */
  readonly secretNames: ReadonlySet<string>;
}

/** A shorter secret would blank out ordinary words. */
const SHORTEST = 4;

/** `{{secret:NAME}}` in header values, for the granted names of an environment. */
export function createSecrets(env: Readonly<Record<string, string | undefined>>, granted: Grant): Secrets {
  const names = new Map<string, string>();
  let pattern: RegExp | null = null;

  const learn = (name: string, value: string): void => {
    if (value.length < SHORTEST) return;
    const before = names.size;
    for (const spelling of secretSpellings(value)) if (!names.has(spelling)) names.set(spelling, name);
    if (names.size === before) return;
    pattern = anyOf([...names.keys()]);
  };

  return {
    refusal: (headers) => {
      const name = Object.values(headers)
        .flatMap(secretsIn)
        .find((found) => !grantsWord(granted, found));
      return name === undefined ? null : `The secret ${visibleText(name)} needs --allow-env=${visibleText(name)}.`;
    },
    fill: (headers) => {
      const secretNames = new Set<string>();
      const filled: [string, string][] = [];
      for (const [header, value] of Object.entries(headers)) {
        for (const name of secretsIn(value)) {
          const found = grantsWord(granted, name) && Object.hasOwn(env, name) ? (env[name] ?? '') : '';
          if (found.trim() === '') return { problem: `secret \`${visibleText(name)}\` is not set or blank` };
          learn(name, found);
          secretNames.add(header.toLowerCase());
        }
        filled.push([header, value.replace(SECRET, (_, name: string) => env[name.trim()] ?? '')]);
      }
      return { headers: Object.fromEntries(filled), secretNames };
    },
    // One pass: what is put in place of one secret is never searched for another.
    scrub: (text) => (pattern === null ? text : text.replace(pattern, (found) => `[secret ${names.get(found) ?? ''}]`)),
  };
}
