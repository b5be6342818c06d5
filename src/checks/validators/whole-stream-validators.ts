import type { ValidatorType } from '../../plugin/validator-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { showText } from '../show-value.ts';
import { fieldOf, joinedText, objectsOf, partsOf, textOf } from './answer-parts.ts';
import { chunksArrive } from './stream-validators.ts';

/** `chunks-equal-text`: the texts of the chunks, one behind the other, are the text of the answer. */
export const chunksEqualText: ValidatorType = {
  kind: 'validator',
  type: 'chunks-equal-text',
  summary: 'The text of all chunks is the text of the answer, character by character.',
  argument: { is: 'none', what: '' },
  streams: true,
  validate: (answer, argument, options) => {
    const failure = chunksArrive.validate(answer, argument, options);
    if (failure !== null) return failure;
    const streamed = wholeText((answer.chunks ?? []).map(({ chunk }) => chunk).filter(isJsonObject));
    const final = joinedText(partsOf(answer.response));
    if (streamed === '' && final === '') return 'Neither the chunks nor the answer have a text.';
    if (streamed === final) return null;
    return `The chunks say ${showText(streamed)}, the answer ${showText(final)}: ${differenceOf(streamed, final)}.`;
  },
};

/** An `aggregated` chunk holds all that came before it. Chunks of other roles, such as results of tools, are not the answer. */
function wholeText(chunks: readonly JsonObject[]): string {
  let text = '';
  for (const chunk of chunks) {
    if ((textOf(chunk, 'role') ?? 'model') !== 'model') continue;
    const piece = joinedText(objectsOf(chunk, 'content'));
    text = fieldOf(chunk, 'aggregated') === true ? piece : text + piece;
  }
  return text;
}

function differenceOf(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return `they differ from character ${at + 1} on`;
}

/** Milliseconds that lie between the first and the last piece of text where the test names no number. */
const APART_MS = 10;

/** `streams-incrementally[:ms]`: the text came in pieces, the last of them at least so long after the first. */
export const streamsIncrementally: ValidatorType = {
  kind: 'validator',
  type: 'streams-incrementally',
  summary:
    'The text came bit by bit: its last piece at least so many milliseconds, 10 if no number is given, after its first.',
  argument: { is: 'optional', what: 'the milliseconds between the first piece of text and the last' },
  streams: true,
  checkArgument: (argument) =>
    /^[1-9]\d{0,5}$/.test(argument) ? null : 'Milliseconds are a whole number from 1 to 999999.',
  validate: (answer, argument, options) => {
    const failure = chunksArrive.validate(answer, null, options);
    if (failure !== null) return failure;
    const times = (answer.chunks ?? [])
      .filter(({ chunk }) => isJsonObject(chunk) && joinedText(objectsOf(chunk, 'content')) !== '')
      .map(({ atMs }) => atMs);
    if (times.length < 2) return `The text came in ${times.length === 0 ? 'no chunk' : 'one chunk'}.`;
    const timestamps = times.filter((atMs) => atMs !== null);
    if (timestamps.length < times.length) {
      return 'It cannot be told when the chunks came, because this runner gets all of them with the end of the answer. Use another runner for this test.';
    }
    const apart = Math.max(...timestamps) - Math.min(...timestamps);
    const wanted = argument === null ? APART_MS : Number(argument);
    if (apart >= wanted) return null;
    return `${times.length} pieces of text came within ${Math.round(apart * 1000) / 1000} ms, not over at least ${wanted} ms.`;
  },
};
