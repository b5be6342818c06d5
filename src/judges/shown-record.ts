import type { Call, ContextDocument, TrialRecord, Turn } from '../types/record.ts';
import type { Json } from '../types/json.ts';
import type { MessagePart } from '../types/message.ts';
import { visibleJson } from '../text/visible-text.ts';
import { groupBy } from '../values/group-by.ts';
import { jsonText } from '../values/json-text.ts';

/**
 * A trial as a judge reads it: a line for each thing said, called, given back and retrieved, in order, with the names of
 * tools, their arguments and results. What came from the subject is JSON on that line, so that it cannot begin a line of
 * its own, hide a character, or speak as a chat template does.
 */
export function shownRecord(record: TrialRecord): readonly string[] {
  const { turns, calls, documents, ending, world } = record;
  const callsByTurn = groupBy(calls ?? [], ({ turn }) => Math.min(turn, turns.length));
  const callLines = (turn: number): readonly string[] => (callsByTurn.get(turn) ?? []).map(callLine);
  return [
    ...(documents ?? []).map(documentLine),
    ...turns.flatMap((turn, at) => [...turnLines(turn, at), ...callLines(at)]),
    ...callLines(turns.length),
    ...(calls === null ? ['calls: could not be seen'] : []),
    ...(world?.state == null ? [] : [`state after: ${quoted(world.state.after)}`]),
    endingLine(ending),
  ];
}

function documentLine({ source, text }: ContextDocument): string {
  return `document ${quoted(source)}: ${quoted(text)}`;
}

function turnLines({ role, parts, answer }: Turn, at: number): readonly string[] {
  const lines = parts.map((part) => `${at} ${role} ${partLine(part)}`);
  const problem = answer?.problem ?? null;
  return problem === null ? lines : [...lines, `${at} ${role} no answer: ${quoted(problem)}`];
}

function partLine(part: MessagePart): string {
  switch (part.kind) {
    case 'text':
      return `says: ${quoted(part.text)}`;
    case 'reasoning':
      return `thinks: ${quoted(part.text)}`;
    case 'media':
      return `shows: ${quoted(part.contentType)} ${quoted(part.url.slice(0, SHOWN_URL))}`;
    case 'tool_call':
      return `calls ${quoted(part.name)} with ${quoted(part.args)}`;
    case 'tool_result':
      return `result of ${quoted(part.name)}${part.isError === true ? ', an error' : ''}: ${quoted(part.result)}`;
  }
}

/** An address is enough of an image: its bytes say nothing to a judge that reads text. */
const SHOWN_URL = 200;

function callLine({ turn, names, args, result, problem, denied }: Call): string {
  const outcome = denied ? 'denied' : problem === null ? `result: ${quoted(result)}` : `problem: ${quoted(problem)}`;
  return `${turn} call of ${quoted(names[0] ?? '')} with ${quoted(args)}; ${outcome}`;
}

function endingLine(ending: TrialRecord['ending']): string {
  const by = ending.status === 'broken' || ending.stoppedBy === null ? '' : `, stopped by ${quoted(ending.stoppedBy)}`;
  const reason = ending.reason === null ? '' : `: ${quoted(ending.reason)}`;
  return `ended: ${ending.status}${by}${reason}`;
}

/** JSON on one line, in which no character is hidden and no chat template finds its marks. */
export function quoted(value: Json): string {
  return visibleJson(jsonText(value)).replace(TEMPLATE_MARK, (mark) => `\\u${hex(mark)}`);
}

/** What begins a mark of the usual chat templates: `<|…|>`, `<s>`, `<start_of_turn>`, `[INST]`, `<<SYS>>`, `<think>`. */
const TEMPLATE_MARK =
  /<(?=[|｜<]|\/?(?:s|think|tool_call|tool_response|function_calls)>|(?:start|end)_of_turn>)|\[(?=\/?INST\])/g;

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
