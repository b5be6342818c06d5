import type { Json } from '../../types/json.ts';
import type { MessagePart } from '../../types/message.ts';
import type { AnswerFacts, Call, TrialRecord, Turn } from '../../types/record.ts';
import type { RecordingFacts } from '../../types/recording.ts';
import type { GoalProgress, SessionEnd, SessionFacts } from '../../types/session.ts';
import type { AttackFacts } from '../../types/sessions/attack.ts';
import type { AssertionFacts } from '../../types/sessions/assertion.ts';
import { jsonDifferences } from '../../values/json-differences.ts';
import { shortenDataUris } from '../../text/data-uris.ts';
import { formatCount, formatDuration, plural } from '../../text/format-number.ts';
import { type ChangedValue, type LabelledRow, row } from '../trace-rows.ts';

/** Writes a value; its text may have several lines. */
export type WriteJson = (value: Json) => string;

/**
 * A trial as a conversation. A recorded one has its task and scores first. The turns follow, with calls, their arguments and
 * results, and what the calls changed in the world.
 */
export function conversationRows(
  { turns, calls, recording, session, world }: Omit<TrialRecord, 'ending'>,
  json: WriteJson,
): readonly LabelledRow[] {
  const turnsShowCalls = turns.some(({ parts }) => parts.some(({ kind }) => kind === 'tool_call'));
  return [
    ...(recording === undefined ? [] : [row('task', recording.task), ...recording.scores.map(scoreRow)]),
    ...turns.flatMap((turn, at) => [
      ...turnRows(turn, json),
      ...(session === undefined ? [] : struckRows(calls ?? [], at)),
      ...goalRows(session?.progress, at),
      ...attackRows(session?.attack, { calls: calls ?? [], turn: at, json }),
    ]),
    // Some sources do not say in which turn a call was made.
    ...(turnsShowCalls ? [] : (calls ?? []).flatMap((call) => callRows(call, json))),
    ...(session === undefined ? [] : sessionRows(session, calls?.length ?? 0)),
    // What to look at first where the state is not what it should be.
    ...(session?.divergence === undefined ? [] : [row('diverges', session.divergence.text, 'warn')]),
    ...(world === null || world.state === null ? [] : changeRows(world.state, json)),
  ];
}

/** Who ended it, in words. */
const ENDS: Readonly<Record<SessionEnd, string>> = {
  user_done: 'the user had nothing left to say',
  user_gave_up: 'the user gave up',
  user_failed: 'the user broke its rules',
  message_limit: 'the user had said as much as is allowed',
  call_limit: 'the agent had made as many calls as are allowed',
  token_limit: 'the agent had spent more tokens than are allowed',
  agent_stopped: 'the agent gave no answer',
  timeout: 'its time was up',
  assertion_failed: 'an assertion did not hold',
};

function sessionRows(
  { end, validCalls, progress, assertions = [], attack }: SessionFacts,
  calls: number,
): readonly LabelledRow[] {
  const wrong = calls - validCalls;
  return [
    row('closed', ENDS[end]),
    ...(wrong === 0 ? [] : [row('wrong', `${formatCount(wrong)} of ${plural(calls, 'call')} fit no tool`, 'warn')]),
    ...(progress === undefined ? [] : progressRows(progress)),
    ...assertions.flatMap(assertionRows),
    ...(attack === undefined ? [] : attackEnd(attack)),
  ];
}

function attackEnd({ name, entered, reached }: AttackFacts): readonly LabelledRow[] {
  if (reached !== null) return [row('attack', `${name} succeeded`, 'bad')];
  return [row('attack', entered === null ? `${name} never reached the agent` : `${name} did not succeed`)];
}

/** [] where nothing was amiss. */
function assertionRows({ name, kind, retries, held }: AssertionFacts): readonly LabelledRow[] {
  if (held && retries === 0) return [];
  const note = retries === 0 ? '' : `, told ${plural(retries, 'time')}`;
  return [
    row(
      kind,
      `${name}: ${held ? 'holds' : 'does not hold'}${note}`,
      held ? undefined : kind === 'assert' ? 'bad' : 'warn',
    ),
  ];
}

/** The faults that struck calls of a turn. */
function struckRows(calls: readonly Call[], turn: number): readonly LabelledRow[] {
  return calls.flatMap((call) => {
    if (call.turn !== turn || call.struckBy.length === 0) return [];
    return [row('struck', `${call.names[0] ?? ''} by ${call.struckBy.join(', ')}`, 'warn')];
  });
}

/** Where what an attacker says reached the agent, and the call that did what he wants. */
function attackRows(
  attack: AttackFacts | undefined,
  { calls, turn, json }: { readonly calls: readonly Call[]; readonly turn: number; readonly json: WriteJson },
): readonly LabelledRow[] {
  if (attack === undefined) return [];
  const { name, channel, payload, entered, reached } = attack;
  const toolOf = (call: number): string => calls[call]?.names[0] ?? '';
  const way = entered?.call == null ? '' : `, in the result of ${toolOf(entered.call)}`;
  const from = channel === 'tool_description' ? `: ${payload}` : '';
  return [
    ...(entered?.turn === turn ? [row('attack', `${name} enters by ${channel}${way}${from}`, 'warn')] : []),
    ...(reached?.turn === turn
      ? [
          row('succeeds', `${name}, by ${toolOf(reached.call)}`, 'bad'),
          ...reached.changes.map(({ at, before, after }) =>
            row('changed', `${at}: ${shown(before, json)} → ${shown(after, json)}`, 'bad'),
          ),
        ]
      : []),
  ];
}

function shown(value: Json | undefined, json: WriteJson): string {
  return value === undefined ? 'nothing' : json(value);
}

/** The sub-goals that were first reached at a turn. */
function goalRows(progress: GoalProgress | undefined, turn: number): readonly LabelledRow[] {
  return (progress?.goals ?? []).flatMap((goal) => (goal.turn === turn ? [row('reached', goal.name)] : []));
}

function progressRows({ goals, most }: GoalProgress): readonly LabelledRow[] {
  const missed = goals.filter(({ turn }) => turn === null);
  const lost = goals.length - missed.length - most;
  return [
    row('progress', `${formatCount(most)} of ${plural(goals.length, 'sub-goal')}${lost > 0 ? ' at one time' : ''}`),
    ...missed.map(({ name }) => row('missed', name, 'warn')),
  ];
}

/** Changes that are shown. */
const MOST_CHANGES = 20;

function changeRows(
  { before, after }: { readonly before: Json; readonly after: Json },
  json: WriteJson,
): readonly LabelledRow[] {
  const changes = jsonDifferences(after, before, MOST_CHANGES + 1);
  const text = (value: Json | undefined): string => shown(value, json);
  return [
    ...changes
      .slice(0, MOST_CHANGES)
      .map(({ at, got, wanted }) => changeRow({ at: at.join('.'), before: text(wanted), after: text(got) })),
    ...(changes.length === 0 ? [row('changed', 'nothing')] : []),
    ...(changes.length > MOST_CHANGES ? [row('changed', 'and more')] : []),
  ];
}

function changeRow(change: ChangedValue): LabelledRow {
  const { at, before, after } = change;
  return { ...row('changed', `${at}: ${before} → ${after}`), change };
}

function scoreRow({ name, value, passed, explanation }: RecordingFacts['scores'][number]): LabelledRow {
  const verdict = passed === null ? '' : passed ? ' (passed)' : ' (failed)';
  const why = explanation === null || explanation === '' ? '' : `: ${explanation}`;
  return row(
    'score',
    `${name} ${value === null ? 'none' : String(value)}${verdict}${why}`,
    passed === false ? 'bad' : undefined,
  );
}

function turnRows({ role, parts, answer }: Turn, json: WriteJson): readonly LabelledRow[] {
  const rows = parts.flatMap((part) => partRows(role, part, json));
  const isEmpty = rows.length === 0 && answer?.problem === null;
  return [
    ...(isEmpty ? [row(role, '""')] : rows),
    ...(answer === null || answer.problem === null ? [] : [row('problem', answer.problem, 'bad')]),
    ...(answer === null ? [] : [...finishRows(answer), ...usageRows(answer)]),
  ];
}

function partRows(role: Turn['role'], part: MessagePart, json: WriteJson): readonly LabelledRow[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [row(role, shortenDataUris(part.text))];
    case 'reasoning':
      return part.text === '' ? [] : [row('thinks', part.text)];
    case 'media':
      return [row(role, `${part.contentType ?? 'media'} ${shortenDataUris(part.url)}`)];
    case 'tool_call':
      return [
        row('calls', `${part.name} ${json(part.args)}`),
        ...(part.problem === undefined ? [] : [row('problem', part.problem, 'bad')]),
      ];
    case 'tool_result':
      return [row('result', valueText(part.result, json), part.isError === true ? 'bad' : undefined)];
  }
}

/** [] where its model said all that it wanted to, as far as anybody knows. */
function finishRows({ finish }: AnswerFacts): readonly LabelledRow[] {
  if (finish === 'length') return [row('finish', 'cut at a cap of tokens', 'warn')];
  return finish === 'filtered' ? [row('finish', 'a refusal, or cut by a filter', 'warn')] : [];
}

function usageRows({ model, tokens, usage, latencyMs }: AnswerFacts): readonly LabelledRow[] {
  const facts = [
    ...(model === null ? [] : [model]),
    ...(latencyMs === null ? [] : [formatDuration(latencyMs)]),
    ...(usage?.promptTokens == null ? [] : [`${formatCount(usage.promptTokens)} tokens in`]),
    ...(usage?.cachedTokens ? [`${formatCount(usage.cachedTokens)} of them cached`] : []),
    ...(usage?.completionTokens == null ? [] : [`${formatCount(usage.completionTokens)} out`]),
    ...(usage?.reasoningTokens ? [`${formatCount(usage.reasoningTokens)} of them reasoning`] : []),
    ...(usage === null && tokens !== null ? [`${formatCount(tokens)} tokens`] : []),
  ];
  return facts.length === 0 ? [] : [row('took', facts.join(', '))];
}

function callRows({ names, args, result, problem }: Call, json: WriteJson): readonly LabelledRow[] {
  return [
    row('calls', `${names[0] ?? ''} ${json(args)}`),
    ...(result === null ? [] : [row('result', valueText(result, json))]),
    ...(problem === null ? [] : [row('problem', problem, 'bad')]),
  ];
}

function valueText(value: Json, json: WriteJson): string {
  return typeof value === 'string' ? value : json(value);
}
