import { stat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../errors.ts';
import { fileProblem } from '../values/file-problem.ts';
import { writeFileWhole } from '../records/write-file-whole.ts';
import { clopperPearsonInterval } from '../stats/clopper-pearson.ts';
import { firstRecords } from '../suite/rows/first-records.ts';
import { scenarioKey } from '../values/scenario-key.ts';
import { modelsUsd } from '../suite/rows/models-usd.ts';
import { type FinishedRun, type LoadedRun, loadRun, runWithRows } from '../suite/run-suite.ts';
import { requireLoaded } from '../suite/require-loaded.ts';
import {
  type CanaryShadow,
  SHADOW_SCHEMA,
  type ShadowEnd,
  type ShadowShare,
  type ShadowTask,
} from '../types/canary/canary-shadow.ts';
import type { Scenario } from '../types/scenario.ts';
import type { SessionSubject } from '../types/session.ts';
import { VERSION } from '../version.ts';
import type { ShadowCanaryOptions } from './canary-options.ts';
import { readCanary } from './read-canary.ts';
import { shadowOutcome } from './shadow-outcome.ts';
import { shadowTask, type ShadowTrial } from './shadow-task.ts';

/** Each request was met once. */
const SAMPLES = { atLeast: 1, firstRecords: true } as const;

/**
 * Tries a candidate on what production met, once each, and writes what became of it as outcomes of stage 0; null: it was stopped,
 * and nothing was written. Tools give what they gave then, and are never called. Rejects with `INPUT` for tasks that are not of
 * recorded tools and agents, and with `OUTPUT` where the outcomes cannot be written.
 */
export async function shadowCanary({
  config,
  out,
  readOnly = [],
  writesViolate = false,
  now = Date.now,
  ...options
}: ShadowCanaryOptions): Promise<CanaryShadow | null> {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const { plan, configuration } = readCanary(config, cwd);
  const { agents, seed = 0 } = options;
  if (agents === undefined) {
    throw new PasskError('USAGE', 'There is no candidate to run.', { hint: 'Name a file with its agents: --agents.' });
  }
  const file = path.resolve(cwd, out);
  await requireNew(file, out);
  const { agents: _, record: _record, replay: _replay, live: _live, ...asRecorded } = options;
  const once = { cwd, trials: 1, seed };
  const before = await loadRun({ ...asRecorded, ...once });
  requireRecorded(before);
  requireTools(before, readOnly);
  const after = await loadRun({ ...options, ...once });
  requireRecorded(after, { isCandidate: true });
  const production = await runWithRows(before, SAMPLES);
  if (production.report.partial) return null;
  const candidate = await runWithRows(after, SAMPLES);
  if (candidate.report.partial) return null;
  const trials = trialsOf(production, candidate);
  const reads = new Set(readOnly);
  const tasks = trials.map((trial) => shadowTask(trial, reads));
  const costs = trials.map(({ row }) => modelsUsd(row.ledger));
  const parts = { version: plan.candidate, seed, at: new Date(now()).toISOString(), writesViolate };
  const lines = trials.map((trial, at) => {
    const task = tasks[at];
    return task === undefined ? '' : `${shadowOutcome(task, trial, { ...parts, costUsd: costs[at] ?? null })}\n`;
  });
  await writeFileWhole(file, new TextEncoder().encode(lines.join(''))).catch((cause: unknown) => {
    throw new PasskError('OUTPUT', `The outcomes cannot be written to ${out}: ${fileProblem(cause)}.`, { cause });
  });
  const priced = costs.filter((cost) => cost !== null);
  return {
    schema: SHADOW_SCHEMA,
    passk: VERSION,
    configuration,
    candidate: plan.candidate,
    agents,
    isWatched: trials.every(({ scenario }) => scenario.subject.agent.kind === 'model'),
    seed,
    outcomes: out,
    ...sharesOf(tasks),
    costUsd: priced.length < costs.length ? null : priced.reduce((sum, cost) => sum + cost, 0),
    tasks,
  };
}

/** Outcomes of production could stand there. */
async function requireNew(file: string, name: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found === null) return;
  throw new PasskError('USAGE', `${name} is there already.`, { hint: 'Name another file with --out.' });
}

/** Only answers that were recorded are sure to have no effect, and only agents that were recorded say what production did. */
function requireRecorded({ input, options }: LoadedRun, { isCandidate = false } = {}): void {
  requireLoaded(input, options);
  const { scenarios } = input.suite;
  const wrong = scenarios.filter(({ subject }) => {
    if (subject.kind !== 'session' || subject.worldCode !== undefined || subject.world.recorded === undefined)
      return true;
    return !isCandidate && subject.agent.kind !== 'canned';
  });
  const names = new Set(scenarios.map(({ name, file }) => scenarioKey({ name, file })));
  if (scenarios.length > 0 && wrong.length === 0 && names.size === scenarios.length) return;
  const list = wrong
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ');
  const more = wrong.length > 5 ? `, and ${wrong.length - 5} more` : '';
  throw new PasskError(
    'INPUT',
    wrong.length === 0 ? 'There is no task of production.' : `These are no recordings of production: ${list}${more}.`,
    { hint: 'Name sessions that `passk import` has made: their tools and agents repeat what was recorded.' },
  );
}

/** A name that is misspelt would leave its tool among those that may write. */
function requireTools({ input }: LoadedRun, names: readonly string[]): void {
  const tools = new Set(
    input.suite.scenarios.flatMap(({ subject }) =>
      subject.kind === 'session' ? subject.world.tools.map(({ name }) => name) : [],
    ),
  );
  const unknown = names.find((name) => !tools.has(name));
  if (unknown === undefined) return;
  throw new PasskError('USAGE', `No session has a tool ${JSON.stringify(unknown)}.`, {
    hint: `Name one of ${[...tools].slice(0, 10).join(', ')}.`,
  });
}

function trialsOf(production: FinishedRun, candidate: FinishedRun): readonly ShadowTrial[] {
  const [was, is] = [firstRecords(production), firstRecords(candidate)];
  const recorded = new Map(
    production.plan.scenarios.map(({ scenario }) => [scenarioKey(scenario), was.get(scenarioKey(scenario))]),
  );
  const lost: string[] = [];
  const trials = candidate.plan.scenarios.flatMap(({ scenario, index }): readonly ShadowTrial[] => {
    const { passed = null, failed = null } = recorded.get(scenarioKey(scenario)) ?? {};
    const [row] = candidate.scenarios[index]?.tally.rows?.list() ?? [];
    const then = passed ?? failed;
    if (then === null || row === undefined) {
      lost.push(scenario.name);
      return [];
    }
    const own = is.get(scenarioKey(scenario));
    const candidateRecord = own?.passed ?? own?.failed ?? null;
    // Both are sessions, as was required of what was loaded.
    return [{ scenario: scenario as Scenario<SessionSubject>, production: then, candidate: candidateRecord, row }];
  });
  if (lost.length === 0) return trials;
  throw new PasskError('INPUT', `What production did cannot be repeated: ${lost.slice(0, 5).join(', ')}.`, {
    hint: 'Give one agent to the candidate, and sessions as `passk import` has made them.',
  });
}

type Shares = 'passed' | 'sameAnswer' | 'sameCalls' | 'replayMisses' | 'writesRefused' | 'unjudged' | 'broken';

function sharesOf(tasks: readonly ShadowTask[]): Pick<CanaryShadow, Shares> {
  const ended = (end: ShadowEnd): number => tasks.filter((task) => task.ended === end).length;
  const compared = (of: 'sameAnswer' | 'sameCalls'): ShadowShare => {
    const comparable = tasks.filter((task) => task[of] !== null);
    return shareOf(comparable.filter((task) => task[of]).length, comparable.length);
  };
  return {
    passed: shareOf(ended('passed'), ended('passed') + ended('failed')),
    sameAnswer: compared('sameAnswer'),
    sameCalls: compared('sameCalls'),
    replayMisses: shareOf(ended('replay_miss'), tasks.length),
    writesRefused: shareOf(ended('write_refused'), tasks.length),
    unjudged: ended('unjudged'),
    broken: ended('broken'),
  };
}

function shareOf(count: number, of: number): ShadowShare {
  return of === 0
    ? { count, of, share: null, interval: null }
    : { count, of, share: count / of, interval: clopperPearsonInterval(of, count) };
}
