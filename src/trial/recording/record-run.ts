import { createHash } from 'node:crypto';
import type {
  ImportedCost,
  ImportedMessage,
  ImportedRun,
  ImportedScore,
  ImportedUsage,
} from '../../plugin/importer-type.ts';
import type { Finding } from '../../types/reports/finding.ts';
import type { TokenUsage } from '../../types/message.ts';
import type { Call, Ending, LedgerLine, TrialRecord, Turn } from '../../types/record.ts';
import type { RecordingFacts, RecordingSubject } from '../../types/recording.ts';
import type { Crossing } from '../../types/recordings/crossing.ts';
import type { CounterName } from '../../types/trial.ts';
import { CLAIMED } from '../../checks/claimed-check.ts';
import { answerTurn, COMPLETED, newCall, newRecord } from '../../values/blank-record.ts';
import { isCount } from '../../values/is-count.ts';
import { MAX_TASK } from '../tally/task-counts.ts';

/** A success is a number this close to the bar, as τ-bench has it. */
const CLOSE = 1e-6;

/** Dollars of one line. No run costs more, and sums of more could leave what a number holds exactly. */
const MOST_USD = 10_000;

export interface RecordedRun {
  readonly trial: number;
  readonly run: ImportedRun;
  readonly at: RecordingFacts['at'];
  /** True: the verdict of the source must be there. */
  readonly needsVerdict: boolean;
}

/** A run of another program as the record of a trial. What the source does not say stays unknown. */
export function recordRun(
  { trial, run, at, needsVerdict }: RecordedRun,
  bar: Pick<RecordingSubject, 'scorer' | 'passScore'>,
): TrialRecord {
  const scores = withDecidingFirst(run.scores, bar.scorer);
  const [deciding] = scores;
  const passed = deciding === undefined ? null : isSuccess(deciding, bar.passScore);
  const turns = turnsOf(run);
  const calls = run.calls === undefined ? callsIn(turns) : givenCalls(run.calls, turns);
  return newRecord({
    trial,
    ending: endingOf(run, { deciding, passed, needsVerdict, scorer: bar.scorer }),
    turns,
    calls,
    ledger: ledgerOf(run),
    world: run.state === undefined ? null : { files: null, state: run.state },
    documents: run.documents ?? null,
    counters: countersOf(run, calls),
    claimed: deciding === undefined || passed === null ? null : claim(deciding, passed, bar.passScore),
    recording: {
      task: taskName(run.task),
      ...(run.crossed !== undefined && { crossed: crossingOf(run.crossed) }),
      attempt: run.attempt ?? null,
      id: run.id ?? null,
      at,
      scores: scores.map((score) => ({
        name: score.name,
        value: score.value,
        passed: isSuccess(score, bar.passScore),
        explanation: score.explanation ?? null,
      })),
      durationMs: run.durationMs ?? null,
      gold: run.gold ?? null,
      goldTexts: run.goldTexts ?? null,
      extra: run.extra ?? null,
      unsaid: run.unsaid ?? {},
    },
  });
}

/** A run that could not be read: nobody knows which task it was an attempt at. */
export function unreadableRun(trial: number, reason: string): TrialRecord {
  return newRecord({ trial, ending: { status: 'broken', reason } });
}

function taskName(task: string): string {
  const name = task.toWellFormed();
  if (name.length <= MAX_TASK) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, MAX_TASK - 20).toWellFormed()}… ${digest}`;
}

function crossingOf({ row, column, stratum }: Crossing): Crossing {
  return { row: taskName(row), column: taskName(column), stratum: taskName(stratum) };
}

function withDecidingFirst(scores: readonly ImportedScore[], scorer: string | null): readonly ImportedScore[] {
  if (scorer === null) return scores;
  const chosen = scores.filter(({ name }) => name === scorer);
  return chosen.length === 0 ? [] : [...chosen, ...scores.filter(({ name }) => name !== scorer)];
}

/** Null: it says neither. */
function isSuccess({ value, passed }: ImportedScore, bar: number): boolean | null {
  if (passed !== undefined) return passed;
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value >= bar - CLOSE : null;
}

interface Verdict {
  readonly deciding: ImportedScore | undefined;
  readonly passed: boolean | null;
  readonly needsVerdict: boolean;
  readonly scorer: string | null;
}

function endingOf({ error, ending, scores }: ImportedRun, { deciding, passed, needsVerdict, scorer }: Verdict): Ending {
  if (error !== undefined) return { status: 'broken', reason: error };
  if (needsVerdict && passed === null) return { status: 'broken', reason: whyNoVerdict(deciding, scores, scorer) };
  return ending === undefined
    ? COMPLETED
    : { status: ending.status, stoppedBy: null, reason: ending.reason, category: null };
}

function whyNoVerdict(
  deciding: ImportedScore | undefined,
  scores: readonly ImportedScore[],
  scorer: string | null,
): string {
  if (deciding !== undefined)
    return `The score "${deciding.name}" is ${JSON.stringify(deciding.value)}, which is no verdict.`;
  if (scorer === null || scores.length === 0) return 'Nobody judged it.';
  return `It has no score "${scorer}"; it has ${scores.map(({ name }) => `"${name}"`).join(', ')}.`;
}

function claim({ name, value, explanation }: ImportedScore, passed: boolean, bar: number): Finding {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const needed = typeof value === 'number' && !passed ? `, ${bar} is needed` : '';
  const why = explanation === undefined || explanation === '' ? '' : `: ${explanation}`;
  return {
    check: CLAIMED,
    verdict: passed ? 'pass' : 'fail',
    expected: true,
    got: value,
    message: `${name} is ${shown}${needed}${why}`,
  };
}

function turnsOf({ messages = [] }: ImportedRun): readonly Turn[] {
  return messages.map((message): Turn => {
    const { role, parts } = message;
    if (role !== 'assistant') return { role, parts, intended: null, answer: null };
    const { problem = null, latencyMs = null, finish = null, model = null, usage } = message;
    const spoken = answerTurn('', {
      problem,
      latencyMs,
      finish,
      model,
      showsCalls: true,
      tokens: usage === undefined ? null : totalOf(usage),
      usage: usage === undefined ? null : partsOf(usage),
    });
    return { ...spoken, parts };
  });
}

/** Calls as messages show them, each with the result of the same id. */
function callsIn(turns: readonly Turn[]): readonly Call[] | null {
  if (turns.length === 0) return null;
  const results = new Map<string, { readonly result: Call['result']; readonly isError: boolean }[]>();
  for (const { parts } of turns) {
    for (const part of parts) {
      if (part.kind !== 'tool_result') continue;
      results.set(part.id, [...(results.get(part.id) ?? []), { result: part.result, isError: part.isError === true }]);
    }
  }
  return turns.flatMap(({ role, parts }, turn) =>
    parts.flatMap((part) => {
      if (part.kind !== 'tool_call') return [];
      // Some programs give several calls one id: their results come in the same order.
      const result = results.get(part.id)?.shift();
      // Simulated users may call tools of their own.
      if (role !== 'assistant') return [];
      const problem = part.problem ?? (result?.isError === true ? textOfResult(result.result) : null);
      return [
        newCall({ port: 'tool', names: [part.name], turn, args: part.args, result: result?.result ?? null, problem }),
      ];
    }),
  );
}

function textOfResult(result: Call['result']): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}

function givenCalls(calls: NonNullable<ImportedRun['calls']>, turns: readonly Turn[]): readonly Call[] {
  const last = Math.max(0, turns.length - 1);
  return calls.map(({ name, by = '', args, result = null, problem = null }) =>
    newCall({ port: 'tool', names: [name], by, turn: last, args, result, problem }),
  );
}

/** What the source lists as costs, else one line for each answer whose tokens are told. */
function ledgerOf({ costs, messages = [] }: ImportedRun): readonly LedgerLine[] {
  if (costs !== undefined) return costs.map(costLine);
  return messages.flatMap(({ model, usage }) =>
    usage === undefined ? [] : [costLine({ kind: 'model', name: model ?? 'model', usage })],
  );
}

function costLine({ kind, name, units = 1, usage, usd }: ImportedCost): LedgerLine {
  return {
    kind,
    name,
    attempt: 1,
    units,
    usage: usage === undefined ? null : wholeUsage(usage),
    nanoUsd: usd !== undefined && usd >= 0 && usd <= MOST_USD ? Math.round(usd * 1e9) : null,
  };
}

/**
 * Null where neither prompt nor completion is told, and where nobody can have counted so many; what is told of caches and
 * reasoning is part of these.
 */
function wholeUsage({
  promptTokens,
  completionTokens,
  cachedTokens = 0,
  cacheWriteTokens = 0,
  reasoningTokens = 0,
}: ImportedUsage): TokenUsage | null {
  if (promptTokens === undefined || completionTokens === undefined) return null;
  const usage = { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens };
  return Object.values(usage).every(isCount) ? usage : null;
}

function partsOf(usage: ImportedUsage): NonNullable<NonNullable<Turn['answer']>['usage']> {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    promptTokens: promptTokens ?? null,
    completionTokens: completionTokens ?? null,
    cachedTokens: cachedTokens ?? null,
    cacheWriteTokens: cacheWriteTokens ?? null,
    reasoningTokens: reasoningTokens ?? null,
  };
}

/** Null: not all of them are told. */
function totalOf({ promptTokens, completionTokens }: ImportedUsage): number | null {
  return promptTokens === undefined || completionTokens === undefined ? null : promptTokens + completionTokens;
}

/** Only what the source tells: an absent counter is unknown. */
function countersOf(run: ImportedRun, calls: readonly Call[] | null): Partial<Record<CounterName, number>> {
  const usages = usagesOf(run);
  const whole = usages.flatMap(({ usage }) => (usage === undefined ? [] : [wholeUsage(usage) ?? []].flat()));
  const sum = (pick: (usage: TokenUsage) => number): number => whole.reduce((total, usage) => total + pick(usage), 0);
  const llmCalls = usages.reduce((total, { units = Number.NaN }) => total + units, 0);
  const llmTokens = sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens);
  return {
    ...(usages.length > 0 &&
      whole.length === usages.length &&
      isCount(llmTokens) && {
        ...(isCount(llmCalls) && { llmCalls }),
        promptTokens: sum(({ promptTokens }) => promptTokens),
        completionTokens: sum(({ completionTokens }) => completionTokens),
        llmTokens,
      }),
    ...(calls !== null && { toolCalls: calls.length }),
  };
}

/** Of every answer, or of every line of a model where the source lists costs with tokens; a line may be of several answers. */
function usagesOf({ messages = [], costs = [] }: ImportedRun): readonly Pick<ImportedCost, 'usage' | 'units'>[] {
  const lines = costs.filter(({ kind, usage }) => kind === 'model' && usage !== undefined);
  return lines.length > 0
    ? lines
    : messages.filter(isAnswer).map(({ usage }) => ({ ...(usage && { usage }), units: 1 }));
}

function isAnswer({ role }: ImportedMessage): boolean {
  return role === 'assistant';
}
