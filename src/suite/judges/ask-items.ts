import { setMaxListeners } from 'node:events';
import process from 'node:process';
import { openOutside } from '../../host/open-outside.ts';
import { liveModelFunction } from '../../plugin/live-node.ts';
import { startClock } from '../../pool/start-clock.ts';
import { bareScenario, NOTHING_EXPECTED } from '../../scenario/bare-scenario.ts';
import { type ResolvedRunOptions, resolveRunOptions, type RunSuiteOptions } from '../../settings/options.ts';
import { extendRegistry } from '../../trial/registry.ts';
import { JudgePhase } from '../../trial/judged/judge-phase.ts';
import type { HostCall } from '../../trial/live-ports.ts';
import type { Json } from '../../types/json.ts';
import type { JudgeAsking } from '../../types/judges/judge-calibration.ts';
import type { JudgeRuling, JudgeSetting, PlannedJudge } from '../../types/judges/judge.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import type { LedgerLine, TrialRecord } from '../../types/record.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { Expected } from '../../types/scenarios/expected.ts';
import { messageOf } from '../../values/message-of.ts';
import { unlessAborted } from '../../values/unless-aborted.ts';
import { planRun } from '../plan/plan.ts';

/** A trial that a judge is asked about. */
export interface AskedItem {
  readonly record: TrialRecord;
  /** The answer, or the trial of the same task, that it is compared with; absent: it is judged by itself. */
  readonly over?: string | TrialRecord;
  /** How often each model is asked the same; absent: as the judge says. */
  readonly repeats?: number;
}

export interface AskedItems {
  /** One for each item; null: it has no verdict. */
  readonly rulings: readonly (JudgeRuling | null)[];
  readonly asked: JudgeAsking;
}

/** Items that are asked about at once: the queue of models has limits of its own. */
const AT_ONCE = 16;

/**
 * Asks a judge of the options about trials that nobody runs, with the budget, cassette and grants of a run. What it gives no
 * verdict on, and what the budget is spent before, has none. Rejects with `USAGE` as a run does.
 */
export async function askItems(
  judge: string,
  items: readonly AskedItem[],
  settings: RunSuiteOptions,
): Promise<AskedItems> {
  const options = resolveRunOptions(settings);
  const plan = planOf(judge, items, options);
  const [planned] = plan.scenarios;
  const outside = await openOutside(plan, options, process.env);
  const rulings: (JudgeRuling | null)[] = items.map(() => null);
  const problems: string[] = [];
  const ledger: LedgerLine[] = [];
  const ends = [options.signal, ...outside.ends].filter((end) => end instanceof AbortSignal);
  const signal = AbortSignal.any(ends);
  setMaxListeners(0, signal);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length && planned !== undefined && !signal.aborted) {
      const at = next++;
      const item = items[at];
      if (item === undefined) return;
      const judging = judgeItem(item, at, { planned, callHost: hostCall(outside.functions, options), signal });
      // A call that the budget has no room for is never answered.
      const found = await unlessAborted(judging, signal);
      if (found === 'aborted') return;
      rulings[at] = found.ruling;
      if (found.problem !== null) problems.push(found.problem);
      ledger.push(...found.ledger);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await outside.close(!signal.aborted);
  }
  const problem = mostFrequent(problems);
  const end = { ...(problem !== undefined && { problem }), ...(signal.aborted && { isPartial: true as const }) };
  return { rulings, asked: { ...askingOf(rulings, ledger), ...end } };
}

interface Asking {
  readonly planned: ScenarioPlan;
  readonly callHost: HostCall;
  readonly signal: AbortSignal;
}

interface JudgedItem {
  readonly ruling: JudgeRuling | null;
  /** Why there is no ruling; null: there is one, or nobody was asked. */
  readonly problem: string | null;
  readonly ledger: readonly LedgerLine[];
}

async function judgeItem(
  { record, over, repeats }: AskedItem,
  at: number,
  { planned, callHost, signal }: Asking,
): Promise<JudgedItem> {
  const judges = (planned.judges ?? []).map(
    (judge): PlannedJudge => ({
      ...judge,
      ...(repeats !== undefined && { repeats }),
      ...(typeof over === 'string' && { against: { judge: judge.name, over } }),
    }),
  );
  const phase = new JudgePhase({ plan: { ...planned, judges }, callHost, startClock });
  try {
    // Tapes keep what was said by the number of the trial.
    const beside = typeof over === 'object' ? over : null;
    const { rulings, ledger } = await phase.judge({ ...record, trial: at }, signal, beside);
    const [ruling] = rulings;
    // A verifier that found no claim, or was shown no context, was not asked.
    const isRuled = ruling !== undefined && ruling.met !== null && ruling.answers.length > 0;
    if (isRuled) return { ruling, problem: null, ledger };
    return { ruling: null, problem: ruling?.answers.find((one) => one.problem !== null)?.problem ?? null, ledger };
  } catch (error) {
    // Nothing of a tape that cannot be read or written is a verdict.
    return { ruling: null, problem: messageOf(error), ledger: [] };
  }
}

/** The first of those that stand there most often. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return [...times].reduce<[string, number] | undefined>(
    (most, one) => (most === undefined || one[1] > most[1] ? one : most),
    undefined,
  )?.[0];
}

function planOf(judge: string, items: readonly AskedItem[], options: ResolvedRunOptions): RunPlan {
  const setting = options.judges.find(({ name }) => name === judge);
  const scenario: Scenario = {
    ...bareScenario({ name: judge, file: '<labels>', trials: items.length, timeoutMs: 60_000 }),
    subject: { kind: 'answered', turns: [] },
    expected: { ...NOTHING_EXPECTED, ...taskOf(judge, setting) },
  };
  const input = { scenarios: [scenario], registry: extendRegistry([], []), liveNodes: [], root: options.cwd };
  return planRun(input, { ...options, trials: items.length });
}

/** What the judge is expected to do. A verifier is shown the documents of an item. */
function taskOf(
  judge: string,
  { compares = false, verifies = false }: Pick<JudgeSetting, 'compares' | 'verifies'> = {},
): Pick<Expected, 'judges' | 'prefers' | 'faithful'> {
  if (compares) return { prefers: [{ judge, over: '' }] };
  if (!verifies) return { judges: [judge] };
  return { faithful: { judge, documents: true, tools: false, nodes: [], texts: [], user: false, minClaims: 1 } };
}

function hostCall(
  functions: Awaited<ReturnType<typeof openOutside>>['functions'],
  { models }: Pick<ResolvedRunOptions, 'models'>,
): HostCall {
  const own = Object.fromEntries(
    Object.entries(models).map(([name, model]) => [
      liveModelFunction(name),
      // Made by the ports of a judge, so the shape is known.
      (payload: Json, signal: AbortSignal) =>
        Promise.resolve(model(payload as unknown as Parameters<typeof model>[0], { signal })),
    ]),
  );
  return async (name, payload, timeoutMs, outer) => {
    const called = functions[name] ?? own[name];
    if (called === undefined) throw new Error(`Nobody answers for ${name}.`);
    const late = AbortSignal.timeout(Math.min(timeoutMs, MOST_MS));
    const signal = outer === undefined ? late : AbortSignal.any([outer, late]);
    return (await called(payload, signal)) as Json;
  };
}

/** As long as Node can wait. */
const MOST_MS = 2 ** 31 - 1;

function askingOf(rulings: readonly (JudgeRuling | null)[], ledger: readonly LedgerLine[]): JudgeAsking {
  const sumOf = (pick: (line: LedgerLine) => number | null): number | null =>
    ledger.reduce<number | null>((sum, line) => {
      const more = pick(line);
      return sum === null || more === null ? null : sum + more;
    }, 0);
  return {
    items: rulings.length,
    unread: rulings.filter((ruling) => ruling === null).length,
    promptTokens: sumOf(({ usage }) => usage?.promptTokens ?? null),
    completionTokens: sumOf(({ usage }) => usage?.completionTokens ?? null),
    nanoUsd: sumOf(({ nanoUsd }) => nanoUsd),
  };
}
