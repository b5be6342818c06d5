import type { ValidatedAnswer, ValidatorType } from '../../plugin/validator-type.ts';
import type { Json } from '../../types/json.ts';
import type { Compat } from '../../types/model-test.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { fieldOf } from './answer-parts.ts';

/** How one of Genkit's two tools reads an answer, where they differ. */
export interface Reading {
  /** `js`: a value counts where JavaScript takes it for true; `python`: where its key stands there, be it with null. */
  readonly presence: 'js' | 'python';
  /** Which part is the text of an answer: `first`: part 0 alone, whatever it is; `found`: the first part with a text. */
  readonly text: 'first' | 'found';
  /** What a chunk adds to the streamed text: its first text part, or all of them. */
  readonly chunkText: 'first' | 'all';
}

const PYTHON: Reading = { presence: 'python', text: 'found', chunkText: 'all' };
const JS: Reading = { presence: 'js', text: 'first', chunkText: 'first' };

/**
 * An answer passes when it passes in each reading. For `both`, two habits of the JavaScript tool do not count, because answers
 * that keep the contract would fail: models that think give a text that is not part 0, and a chunk may have two texts.
 */
const READINGS: Readonly<Record<Compat, readonly Reading[]>> = {
  js: [JS],
  python: [PYTHON],
  both: [{ ...JS, text: 'found', chunkText: 'all' }, PYTHON],
};

/** Why the answer fails in one reading, a sentence; null: it does not. */
type Judge = (answer: ValidatedAnswer, argument: string, reading: Reading) => string | null;

/** Judges by the readings that `compat` asks for. A missing argument is '', as an empty one is. */
export function judgedBy(judge: Judge): ValidatorType['validate'] {
  return (answer, argument, { compat }) => {
    for (const reading of READINGS[compat]) {
      const failure = judge(answer, argument ?? '', reading);
      if (failure !== null) return failure;
    }
    return null;
  };
}

/** The content of the answer's message; null: there is no list. */
export function contentOf({ response }: ValidatedAnswer, { presence }: Reading): readonly Json[] | null {
  const message = fieldOf(response, 'message');
  const candidates = fieldOf(response, 'candidates');
  const first = isJsonArray(candidates) ? candidates[0] : undefined;
  const content = fieldOf(isTrue(message, presence) ? message : fieldOf(first, 'message'), 'content');
  return isJsonArray(content) ? content : null;
}

/** The first of the parts that has `key`; undefined: none has. */
export function partWith(key: string, parts: readonly Json[], reading: Reading): Json | undefined {
  return parts.find((part) => has(part, key, reading));
}

/** The text that the answer is judged by; null: it has none. */
export function answerText(answer: ValidatedAnswer, reading: Reading): string | null {
  const content = contentOf(answer, reading);
  if (content === null) return null;
  const part = reading.text === 'first' ? content[0] : content.find((one) => has(one, 'text', PYTHON));
  const text = fieldOf(part, 'text');
  return typeof text === 'string' && text !== '' ? text : null;
}

export function has(part: Json, key: string, { presence }: Reading): boolean {
  const value = fieldOf(part, key);
  return presence === 'python' ? value !== undefined : isTrue(value, presence);
}

/** What JavaScript takes for true, or Python does: to Python empty lists and objects are false. */
function isTrue(value: Json | undefined, presence: Reading['presence']): boolean {
  if (presence === 'js' || typeof value !== 'object' || value === null) return Boolean(value);
  return isJsonObject(value) ? Object.keys(value).length > 0 : (value as readonly Json[]).length > 0;
}
