import type { ValidatorType } from '../../plugin/validator-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { jsonText } from '../../values/json-text.ts';
import { countWork } from '../../values/work.ts';
import { showName, showText } from '../show-value.ts';
import { fieldOf, joinedText, listOf, objectsOf, partsOf, textOf, toolRequestsOf } from './answer-parts.ts';

/**
 * `tool-round-trip[:s]`: after the result of a tool, the answer is a text that uses it. With an argument, the text holds the
 * argument, whatever the case. Without one, the text has a fact of each result of the last turn of tools. A fact is a number, or
 * a word of three letters or more, that stands nowhere else in the request, so that only the result can have told it.
 */
export const toolRoundTrip: ValidatorType = {
  kind: 'validator',
  type: 'tool-round-trip',
  summary: 'The text uses what the tool gave: it holds the argument, or a fact that only the result of the tool tells.',
  argument: { is: 'optional', what: 'what of the result the text must hold' },
  checkInput: (input) => (resultsOf(input).length === 0 ? NO_RESULT : null),
  validate: ({ input, response }, argument) => {
    const results = resultsOf(input);
    if (results.length === 0) return NO_RESULT;
    const text = joinedText(partsOf(response));
    if (text.trim() === '') return noText(response);
    if (argument !== null) {
      if (text.toLowerCase().includes(argument.toLowerCase())) return null;
      return `The text does not hold ${showText(argument)}: ${showText(text)}.`;
    }
    const textFacts = factsIn(text);
    const others = elsewhere(input, results);
    for (const result of results) {
      const facts = [...factsIn(resultText(result))].filter((fact) => !others.has(fact));
      const tool = showName(textOf(result, 'name') ?? '');
      if (facts.length === 0) {
        return `The result of the tool ${tool} tells nothing that the request does not. Name what the text must hold: \`tool-round-trip:…\`.`;
      }
      if (!facts.some((fact) => textFacts.has(fact))) {
        return `The text has nothing of the result of the tool ${tool} (${showText(facts.join(' '))}): ${showText(text)}.`;
      }
    }
    return null;
  },
};

const NO_RESULT = 'The request has no result of a tool behind its last message of a user or a model.';

function noText(response: Json): string {
  const [toolRequest] = toolRequestsOf(response);
  if (toolRequest === undefined) return 'The answer has no text.';
  return `The answer has no text; it asks for the tool ${showName(textOf(toolRequest, 'name') ?? '')} in place of using the result.`;
}

/** The results in the messages with which the conversation ends: those of the role `tool`. */
function resultsOf(input: JsonObject): readonly JsonObject[] {
  const messages = objectsOf(input, 'messages');
  const last = messages.findLastIndex((message) => textOf(message, 'role') !== 'tool');
  return messages
    .slice(last + 1)
    .flatMap((message) => objectsOf(message, 'content'))
    .map((part) => fieldOf(part, 'toolResponse'))
    .filter(isJsonObject);
}

function resultText(result: JsonObject): string {
  return jsonText([fieldOf(result, 'output') ?? null, listOf(result, 'content')]);
}

/** What the request says without these results: questions, earlier answers, tools and their schemas. */
function elsewhere(input: JsonObject, results: readonly JsonObject[]): ReadonlySet<string> {
  const messages = objectsOf(input, 'messages');
  const isResult = (part: JsonObject): boolean => results.some((result) => result === fieldOf(part, 'toolResponse'));
  const parts = messages.flatMap((message) => objectsOf(message, 'content')).filter((part) => !isResult(part));
  const said = parts.map((part) => [
    fieldOf(part, 'text') ?? null,
    fieldOf(part, 'toolRequest') ?? null,
    fieldOf(part, 'toolResponse') ?? null,
  ]);
  const names = results.map((result) => fieldOf(result, 'name') ?? null);
  return factsIn(jsonText([...said, ...names, fieldOf(input, 'tools') ?? null, fieldOf(input, 'docs') ?? null]));
}

/** Numbers, and words of three letters or more in lower case. */
function factsIn(text: string): ReadonlySet<string> {
  countWork(text.length);
  const unescaped = text.replaceAll(/\\[nrtbf]/g, ' ');
  const facts = new Set<string>();
  for (const [token] of unescaped.toLowerCase().matchAll(/\d+(?:[.,]\d+)*|\p{L}{3,}/gu)) {
    facts.add(/^\d/.test(token) ? plainNumber(token) : token);
  }
  return facts;
}

/** `1,234.50` and `1234.5` are the same number. */
function plainNumber(token: string): string {
  const whole = token.replaceAll(/,(?=\d{3}(?!\d))/g, '');
  return /^\d+(?:\.\d+)?$/.test(whole) && whole.length < 16 ? String(Number(whole)) : whole;
}
