import type { ValidatedAnswer, ValidatorType } from '../../plugin/validator-type.ts';
import type { Json } from '../../types/json.ts';
import { isJsonArray } from '../../values/is-json.ts';
import { countWork } from '../../values/work.ts';
import { showText, showValue } from '../show-value.ts';
import { fieldOf } from './answer-parts.ts';
import { isJson } from './json-text.ts';
import { has, judgedBy, type Reading } from './reading.ts';
import { hasToolRequest } from './tool-validators.ts';
import { stripped } from './white-space.ts';

/** `chunks-arrive`: an answer that was asked for in pieces came in pieces. Every streaming test is judged by it first. */
export const chunksArrive: ValidatorType = {
  kind: 'validator',
  type: 'chunks-arrive',
  summary: 'At least one chunk came; each streaming test is judged by it first.',
  argument: { is: 'none', what: '' },
  streams: true,
  validate: noChunks,
};

/** `stream-text-includes[:s]`: the texts of the chunks, one behind the other, hold the argument in the same case. */
export const streamTextIncludes: ValidatorType = {
  kind: 'validator',
  type: 'stream-text-includes',
  summary: 'The text of all chunks holds another, in the same case; without one, there is a chunk.',
  argument: { is: 'optional', what: 'the text to find' },
  streams: true,
  validate: onStreamedText((text, argument) => {
    return text.includes(argument) ? null : `The streamed text does not hold ${showText(argument)}: ${showText(text)}.`;
  }),
};

/** `stream-valid-json`: the texts of the chunks, one behind the other, are one JSON value. */
export const streamValidJson: ValidatorType = {
  kind: 'validator',
  type: 'stream-valid-json',
  summary: 'The text of all chunks is one JSON value.',
  argument: { is: 'none', what: '' },
  streams: true,
  validate: onStreamedText((text, _argument, reading) => {
    if (stripped(text, reading) === '') return 'The chunks have no text.';
    return isJson(text, reading) ? null : `The streamed text is no JSON: ${showText(text)}.`;
  }),
};

/** `stream-has-tool-request[:name]`: a chunk asks for a tool; if one is named, the whole answer passes `has-tool-request`. */
export const streamHasToolRequest: ValidatorType = {
  kind: 'validator',
  type: 'stream-has-tool-request',
  summary: 'Some chunk asks for a tool; if one is named, the first that the whole answer asks for is that one.',
  argument: { is: 'optional', what: 'the name of the tool' },
  streams: true,
  validate: (answer, argument, options) => {
    const failure = inChunks(answer, argument, options);
    return failure !== null || (argument ?? '') === '' ? failure : hasToolRequest.validate(answer, argument, options);
  },
};

const inChunks = judgedBy((answer, _argument, reading) => {
  if (noChunks(answer) !== null) return NO_CHUNKS;
  for (const chunk of rawChunks(answer)) {
    const content = chunkContent(chunk);
    if (content === null) return BROKEN_CHUNK;
    for (const part of content) {
      if (part === null) return BROKEN_CHUNK;
      if (has(part, 'toolRequest', reading)) return null;
    }
  }
  return `No chunk asks for a tool: ${showValue(rawChunks(answer))}.`;
});

const NO_CHUNKS = 'No chunks came, though a stream was asked for.';
const BROKEN_CHUNK = 'A chunk is broken: it is null, its `content` is no list, or what stands in it is no part.';

function noChunks({ chunks }: ValidatedAnswer): string | null {
  return chunks === null || chunks.length === 0 ? NO_CHUNKS : null;
}

function rawChunks({ chunks }: ValidatedAnswer): readonly Json[] {
  return (chunks ?? []).map(({ chunk }) => chunk);
}

function onStreamedText(
  judge: (text: string, argument: string, reading: Reading) => string | null,
): ValidatorType['validate'] {
  return judgedBy((answer, argument, reading) => {
    const text = streamedText(answer, reading);
    return text === null ? (noChunks(answer) ?? BROKEN_CHUNK) : judge(text, argument, reading);
  });
}

/** The texts of the chunks, one behind the other; null: there are no chunks, or one is broken. */
function streamedText(answer: ValidatedAnswer, reading: Reading): string | null {
  if (noChunks(answer) !== null) return null;
  let text = '';
  for (const chunk of rawChunks(answer)) {
    const content = chunkContent(chunk);
    if (content === null) return null;
    for (const part of content) {
      if (part === null) return null;
      if (!has(part, 'text', JS_TRUE)) continue;
      const piece = fieldOf(part, 'text');
      if (typeof piece === 'object') return null;
      text += String(piece);
      if (reading.chunkText === 'first') break;
    }
  }
  countWork(text.length);
  return text;
}

/** A text that is null or empty adds nothing, in either tool. */
const JS_TRUE: Reading = { presence: 'js', text: 'first', chunkText: 'first' };

/** [] where a chunk says nothing of content; null: it is broken. */
function chunkContent(chunk: Json): readonly Json[] | null {
  if (chunk === null) return null;
  const content = fieldOf(chunk, 'content') ?? [];
  return isJsonArray(content) ? content : null;
}
