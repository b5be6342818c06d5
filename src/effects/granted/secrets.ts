import { visibleText } from '../../text/visible-text.ts';
import type { Grant } from '../../types/permissions.ts';
import { SECRET, secretsIn } from '../../values/secret-names.ts';
import { anyOf, secretSpellings } from '../../values/secret-spellings.ts';
import { grantsWord } from '../granted-ports.ts';

/** Secrets of the environment: put in at the last moment, and taken out of whatever comes back. */
export interface Secrets {
  /** The sentence that names the flag for the first secret that is not granted; null: all are. */
  refusal(values: Readonly<Record<string, string>>): string | null;
  /**
   * Values of headers or variables with their secrets in place. Reads only what is granted. `resolved`: values of secrets
   * that are not variables, by name.
   */
  fill(values: Readonly<Record<string, string>>, resolved?: ReadonlyMap<string, string>): FilledValues | MissingSecret;
  /** A text without the values of secrets that were ever filled in or learned, plain or encoded. */
  scrub(text: string): string;
  /** From now on the value is taken out of texts. */
  learn(name: string, value: string): void;
}

export interface FilledValues {
  readonly values: Readonly<Record<string, string>>;
  /** Names of headers or variables that hold a secret, in lower case. */
  readonly secretNames: ReadonlySet<string>;
}

/** A secret that no granted variable gives: it is not there, or blank. */
export interface MissingSecret {
  readonly missing: string;
  /** The header or variable that it was for. */
  readonly place: string;
}

/** A shorter secret would blank out ordinary words. */
const SHORTEST = 4;

/** `{{secret:NAME}}` in values of headers and variables, for the granted names of an environment. */
export function createSecrets(env: Readonly<Record<string, string | undefined>>, granted: Grant): Secrets {
  const names = new Map<string, string>();
  let pattern: RegExp | null = null;

  const learn = (name: string, value: string): void => {
    if (value.length < SHORTEST) return;
    for (const spelling of secretSpellings(value)) {
      if (names.has(spelling)) continue;
      names.set(spelling, name);
      pattern = null;
    }
  };
  const variable = (name: string): string =>
    grantsWord(granted, name) && Object.hasOwn(env, name) ? (env[name] ?? '') : '';

  return {
    refusal: (values) => {
      const name = Object.values(values)
        .flatMap(secretsIn)
        .find((found) => !grantsWord(granted, found));
      return name === undefined ? null : `The secret ${visibleText(name)} needs --allow-env=${visibleText(name)}.`;
    },
    fill: (values, resolved = NOTHING) => {
      const secretNames = new Set<string>();
      const filled: [string, string][] = [];
      for (const [place, value] of Object.entries(values)) {
        for (const name of secretsIn(value)) {
          const found = resolved.get(name) ?? variable(name);
          if (found.trim() === '') return { missing: name, place };
          learn(name, found);
          secretNames.add(place.toLowerCase());
        }
        filled.push([
          place,
          value.replace(SECRET, (_, name: string) => resolved.get(name.trim()) ?? variable(name.trim())),
        ]);
      }
      return { values: Object.fromEntries(filled), secretNames };
    },
    // One pass: what is put in place of one secret is never searched for another.
    scrub: (text) => {
      if (names.size === 0) return text;
      pattern ??= anyOf([...names.keys()]);
      return text.replace(pattern, (found) => `[secret ${names.get(found) ?? ''}]`);
    },
    learn,
  };
}

const NOTHING: ReadonlyMap<string, string> = new Map();
