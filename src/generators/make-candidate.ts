import { PasskError } from '../errors.ts';
import type { GeneratedScenario, GeneratorType } from '../plugin/generator-type.ts';
import type { Rejection } from '../types/generated/generated-set.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';
import { plainCopy } from '../values/plain-json.ts';
import { failedText } from '../values/thrown-at.ts';
import { scenarioSeed, seededRandom } from './seeded-random.ts';

/** What a scenario is generated from, without its generator. */
export interface CandidateOf {
  /** That of the set. */
  readonly seed: number;
  readonly n: number;
  readonly params: JsonObject;
}

/** What a generator gave for one seed: plain data, or why it gave nothing of use. */
export type Candidate =
  | { readonly ok: true; readonly n: number; readonly seed: number; readonly scenario: GeneratedScenario }
  | {
      readonly ok: false;
      readonly n: number;
      readonly seed: number;
      readonly reason: Extract<Rejection, 'threw' | 'impure' | 'invalid'>;
      readonly detail: string;
    };

/** Longest JSON text, about, of one scenario. */
const MOST_CHARACTERS = 1024 * 1024;
const KEYS = ['document', 'ids', 'independent', 'context'];

/** The n-th scenario of a set. It is generated twice, since a pure function gives the same again. Throws nothing. */
export function makeCandidate(generator: GeneratorType, { seed: set, n, params }: CandidateOf): Candidate {
  const seed = scenarioSeed(set, generator.type, n);
  const failed = (reason: 'threw' | 'impure' | 'invalid', detail: string): Candidate => {
    return { ok: false, n, seed, reason, detail };
  };
  const once = (): Json => {
    // A copy, because the generator may change what it gets.
    const ownParams = structuredClone(params);
    const generated: unknown = generator.generate({
      seed,
      n,
      params: ownParams,
      random: seededRandom(seed, generator.type),
    });
    if (generated === undefined) throw new Unusable('It gave nothing, and must return a scenario.');
    if (generated instanceof Promise) {
      // Nobody waits for it, so what it rejects with must not end the thread.
      generated.catch(() => undefined);
      throw new Unusable('It gave a promise, and must answer at once.');
    }
    const copy = plainCopy(generated, { maxLength: MOST_CHARACTERS, leavesOutUndefined: true });
    if (!copy.ok) throw new Unusable(`What it gave is no plain data: ${copy.reason}.`);
    return copy.value;
  };
  try {
    const value = once();
    const problem = shapeProblem(value);
    if (problem !== null) return failed('invalid', problem);
    if (canonicalJson(value) !== canonicalJson(once())) {
      return failed('impure', 'The same seed gave another scenario the second time.');
    }
    // Its shape has just been looked at.
    return { ok: true, n, seed, scenario: value as unknown as GeneratedScenario };
  } catch (error) {
    // What has no canonical form has no hash.
    if (error instanceof Unusable || error instanceof PasskError) return failed('invalid', error.message);
    return failed('threw', `Its generator ${failedText(error, new Error('here'))}`);
  }
}

class Unusable extends Error {}

function shapeProblem(value: Json): string | null {
  if (!isJsonObject(value)) return 'What it gave is no object with a `document`.';
  const foreign = Object.keys(value).find((key) => !KEYS.includes(key));
  if (foreign !== undefined) return `What it gave has the key "${foreign}"; there are ${KEYS.join(', ')}.`;
  const { document, ids, independent, context } = value;
  if (!isJsonObject(document)) return 'Its `document` is no table.';
  if (ids !== undefined && !isTexts(ids)) return 'Its `ids` are no list of texts.';
  if (context !== undefined && !isTexts(context)) return 'Its `context` is no list of dotted paths.';
  if (independent === undefined || (isJsonArray(independent) && independent.every(isTexts))) return null;
  return 'Its `independent` is no list of lists of dotted paths.';
}

function isTexts(value: Json): boolean {
  return isJsonArray(value) && value.every((item) => typeof item === 'string' && item !== '');
}
