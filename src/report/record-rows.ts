import type { AnswerFacts, Call, TrialRecord, Turn } from '../types/record.ts';
import { textOf } from '../values/message-text.ts';
import { conversationRows, type WriteJson } from './sections/conversation-rows.ts';
import { formatCount, formatDuration, plural } from '../text/format-number.ts';
import { spacedJson } from './spaced-json.ts';
import { type LabelledRow, row } from './trace-rows.ts';

/** The conversation with a subject, row by row; `json` writes the values of recorded trials and sessions. */
export function recordRows(record: TrialRecord, json: WriteJson = spacedJson): readonly LabelledRow[] {
  const { turns, calls, recording, session } = record;
  if (recording !== undefined || session !== undefined) return conversationRows(record, json);
  return turns.flatMap((turn, at) =>
    turn.answer === null
      ? promptRows(turn)
      : answerRows(
          turn,
          turn.answer,
          (calls ?? []).filter((call) => call.turn === at),
        ),
  );
}

/** How many prompts of a trial were answered, and how many calls were seen. */
export function recordFacts({ turns, calls }: TrialRecord): readonly string[] {
  // What only calls tools is on its way to an answer.
  const answers = turns.filter((turn) => !isOnlyCalls(turn)).flatMap(({ answer }) => answer ?? []);
  const answered = answers.filter(({ problem }) => problem === null).length;
  const prompts = turns.filter(({ role }) => role === 'user').length;
  return [
    `${formatCount(answered)} of ${plural(Math.max(prompts, answers.length), 'prompt')}`,
    ...(calls === null ? [] : [`${plural(calls.length, 'call')} seen`]),
  ];
}

function isOnlyCalls({ parts }: Turn): boolean {
  return parts.length > 0 && parts.every(({ kind }) => kind === 'tool_call');
}

function promptRows({ parts, intended }: Turn): readonly LabelledRow[] {
  const text = textOf(parts);
  return [row('asks', quoted(intended ?? text)), ...(intended === null ? [] : [row('sends', quoted(text))])];
}

function answerRows({ parts }: Turn, answer: AnswerFacts, calls: readonly Call[]): readonly LabelledRow[] {
  const { asked, struckBy, problem, latencyMs, tokens, showsCalls } = answer;
  const used = tokens === null ? '' : `, ${formatCount(tokens)} tokens`;
  return [
    ...(struckBy.length === 0 ? [] : [row('struck', struckBy.join(', '), 'warn')]),
    ...(showsCalls ? callRows(calls) : [row('calls', 'out of sight')]),
    ...(asked ? [] : [row('asked', 'never: a fault came before it', 'warn')]),
    problem === null ? row('gets', quoted(textOf(parts))) : row('gets', `no answer: ${problem}`, 'bad'),
    ...(latencyMs === null ? [] : [row('took', `${formatDuration(latencyMs)}${used}`)]),
  ];
}

function callRows(calls: readonly Call[]): readonly LabelledRow[] {
  if (calls.length === 0) return [row('calls', 'nothing')];
  return calls.map(({ port, names, struckBy }) => {
    const by = struckBy.length === 0 ? '' : `, struck by ${struckBy.join(', ')}`;
    return row('calls', `${port} ${names.join(' or ')}${by}`, struckBy.length === 0 ? undefined : 'warn');
  });
}

/** The text, with quotes where it is empty. */
function quoted(text: string): string {
  return text === '' ? '""' : text;
}
