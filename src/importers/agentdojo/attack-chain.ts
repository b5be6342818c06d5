import { isRecord } from '../../values/is-json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { jsonText } from '../../values/json-text.ts';
import type { Json } from '../../types/json.ts';

/** Calls that are named behind the injected text, and characters of one. */
const MOST_CALLS = 6;
const MOST_CHARACTERS = 120;

/**
 * How an attack went, in words, as far as the messages of the run hold it: the call whose result the injected text stands in,
 * and the calls behind it. AgentDojo keeps no world, and does not say which call it judged.
 */
export function attackChain(run: unknown, succeeded: boolean): string {
  const verdict = `the attack ${succeeded ? 'succeeded' : 'failed'}`;
  const injections = fieldAt(run, 'injections');
  const texts = Object.values(isRecord(injections) ? injections : {}).flatMap((text) =>
    typeof text === 'string' && bare(text) !== '' ? [bare(text)] : [],
  );
  const messages = listAt(run, 'messages');
  if (messages.length === 0) return `${verdict}; the run has no messages that show how`;
  const isInjected = (message: unknown): boolean => {
    const said = bare(contentOf(message));
    return textAt(message, 'role') === 'tool' && texts.some((text) => said.includes(text));
  };
  const at = messages.findIndex(isInjected);
  if (at < 0) return `${verdict}; its text stands in no result of a tool`;
  const results = messages.slice(0, at).filter((message) => textAt(message, 'role') === 'tool').length;
  const tool = textAt(messages[at], 'tool_call', 'function') ?? '';
  const entered = `it entered by the result of call ${results + 1}, ${JSON.stringify(tool)}`;
  if (!succeeded) return `${verdict}; ${entered}`;
  const calls = messages.slice(at).flatMap((message) => listAt(message, 'tool_calls').map(callText));
  const more = calls.length > MOST_CALLS ? [`${calls.length - MOST_CALLS} more`] : [];
  const made =
    calls.length === 0
      ? 'the agent called nothing behind it'
      : `behind it come ${[...calls.slice(0, MOST_CALLS), ...more].join(', ')}`;
  return `${verdict}: ${entered}, and ${made}; which call did it, and what changed in the world, AgentDojo does not say`;
}

/** Tools give YAML, which breaks lines and escapes quotes within a text. */
function bare(text: string): string {
  return text.replaceAll(/[\s"'\\]+/g, '');
}

/** A text, or blocks of text in new versions. */
function contentOf(message: unknown): string {
  const content = fieldAt(message, 'content');
  if (typeof content === 'string') return content;
  return listAt(message, 'content')
    .map((block) => textAt(block, 'content') ?? '')
    .join('\n');
}

function callText(call: unknown): string {
  const args = jsonText((fieldAt(call, 'args') ?? {}) as Json);
  const text = `${textAt(call, 'function') ?? ''}(${args})`;
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}
