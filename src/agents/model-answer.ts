import { partsText } from './event-text.ts';
import { isPythonObject, type PythonJson, type PythonObject } from './python-json.ts';
import { valueAtPath } from './response-path.ts';

/**
 * The text of a whole answer as a provider of models or an SDK of agents writes it, '' where it has none, as of one that only
 * asks for tools; null: the answer is of another kind. Its sources are those of `event-text.ts`.
 */
export function modelText(answer: PythonObject): string | null {
  for (const read of FORMATS) {
    const text = read(answer);
    if (text !== null) return text;
  }
  return null;
}

type Read = (answer: PythonObject) => string | null;

/** Each takes only what no other agent would write. */
const FORMATS: readonly Read[] = [
  // OpenAI's chat completions. A refusal stands beside the text.
  (answer) => {
    const message = objectAt(answer, ['choices', '0', 'message']);
    if (message === null || !isText(message.get('role'))) return null;
    return [message.get('content'), message.get('refusal')].find(isText) ?? partsText(message.get('content')) ?? '';
  },
  // OpenAI's responses.
  (answer) => {
    const output = answer.get('output');
    if (answer.get('object') !== 'response' || !Array.isArray(output)) return null;
    return (output as readonly PythonJson[])
      .map((item) =>
        isPythonObject(item) && item.get('type') === 'message' ? (partsText(item.get('content')) ?? '') : '',
      )
      .join('');
  },
  // Anthropic's messages.
  (answer) =>
    answer.get('type') === 'message' && isText(answer.get('role')) ? (partsText(answer.get('content')) ?? '') : null,
  // Gemini's generateContent.
  (answer) => {
    const content = objectAt(answer, ['candidates', '0', 'content']);
    return content === null ? null : (partsText(content.get('parts')) ?? '');
  },
  // https://code.claude.com/docs/en/agent-sdk/typescript#sdkresultmessage
  (answer) => (isRunResult(answer) ? ([answer.get('result')].find(isText) ?? '') : null),
  // A turn of the Codex SDK.
  (answer) => (Array.isArray(answer.get('items')) ? ([answer.get('finalResponse')].find(isText) ?? null) : null),
  // Ollama's chat.
  (answer) => {
    const message = objectAt(answer, ['message']);
    if (typeof answer.get('done') !== 'boolean' || message === null || !isText(message.get('role'))) return null;
    const content = message.get('content');
    return isText(content) ? content : '';
  },
];

/** Of a run of the Claude Agent SDK, which Claude Code prints as well. */
export function isRunResult(answer: PythonObject): boolean {
  return isText(answer.get('subtype')) && typeof answer.get('is_error') === 'boolean';
}

function objectAt(answer: PythonObject, place: readonly string[]): PythonObject | null {
  const found = valueAtPath(answer, place) ?? null;
  return isPythonObject(found) ? found : null;
}

function isText(value: PythonJson | undefined): value is string {
  return typeof value === 'string';
}
