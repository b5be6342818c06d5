import path from 'node:path';
import { PasskError } from '../../errors.ts';
import { ThreadTurns } from '../../pool/thread-turns.ts';
import { type ResolvedRunOptions, resolveRunOptions, type RunSuiteOptions } from '../../settings/options.ts';
import type { RECORDINGS } from '../../settings/rows/recordings.ts';
import { kindOf, scenarioFilesIn } from '../../source/scan-folder.ts';
import type { Scenario } from '../../types/scenario.ts';
import { factsOf, isAttacked, isRecording } from '../../types/subjects.ts';
import { SET_AUDIT_SCHEMA, type SetAudit, TRIVIAL_SUBJECTS } from '../../types/audit/set-audit.ts';
import { VERSION } from '../../version.ts';
import { holdsScenarios } from '../holds-scenarios.ts';
import { loadFor, type SuiteInput } from '../load-suite.ts';
import { requireLoaded } from '../require-loaded.ts';
import { auditRecorded, type FoundTask } from './audit-recorded.ts';
import { contentOf, judgeScenarios } from './judge-scenarios.ts';

/** Options of `auditSet()`. */
export interface AuditSetOptions
  extends Pick<
    RunSuiteOptions,
    | Exclude<keyof typeof RECORDINGS, 'recordings'>
    | 'cwd'
    | 'permissions'
    | 'plugins'
    | 'week'
    | 'workers'
    | 'seed'
    | 'prices'
    | 'signal'
    | 'onOutput'
  > {
  /** Scenario files, contracts, files with recorded runs, or folders of them. */
  readonly paths: readonly string[];
  /** A trivial subject may pass so many of the tasks; default 0.05. */
  readonly maxTrivial?: number;
  /** Globs on tools that only read, in place of `READING_TOOLS`. */
  readonly reads?: readonly string[];
}

/** Names by which tools that change nothing usually go. */
export const READING_TOOLS: readonly string[] = [
  'get_*',
  'list_*',
  'search_*',
  'find_*',
  'read_*',
  'lookup_*',
  'check_*',
  'calculate*',
  'think',
  'transfer_to_*',
];

/**
 * Tries subjects that can do nothing, and the answers that are held to be right, on a set of scenarios. Rejects with `INPUT`
 * where a file cannot be used, and with `USAGE`.
 */
export async function auditSet({
  paths,
  maxTrivial = 0.05,
  reads = READING_TOOLS,
  ...settings
}: AuditSetOptions): Promise<SetAudit> {
  if (!(maxTrivial >= 0 && maxTrivial <= 1)) {
    throw new PasskError('USAGE', `\`maxTrivial\` must be a number from 0 to 1, got ${maxTrivial}.`);
  }
  const options = resolveRunOptions({ ...settings, ...kindsOfPaths(paths, path.resolve(settings.cwd ?? '.')) });
  const input = await loadFor(options);
  requireLoaded(input, { keepGoing: false });
  return auditScenarios({ input, scenarios: input.suite.scenarios, options, bounds: { maxTrivial, reads } });
}

/** Scenarios that are loaded, and what is held against them. */
export interface AuditedInput {
  readonly input: SuiteInput;
  /** Those of the input that are audited. */
  readonly scenarios: readonly Scenario[];
  readonly options: ResolvedRunOptions;
  readonly bounds: SetAudit['bounds'];
}

/** The same for scenarios that are loaded already. */
export async function auditScenarios({ input, scenarios: all, options, bounds }: AuditedInput): Promise<SetAudit> {
  const { maxTrivial, reads } = bounds;
  // Who does nothing resists every attack, and has no gold answer to it.
  const scenarios = withoutRepeatedTasks(all.filter((scenario) => !isAttacked(scenario)));
  const { definitions } = input.suite;
  const judged = await judgeScenarios({ ...input, definitions }, scenarios, { options });
  const found: FoundTask[] = [];
  for (const scenario of scenarios) {
    found.push(...(judged.get(scenario) ?? (await recordedTasks(scenario, input, reads))));
  }
  const tasks = found.map(({ task }) => task);
  const answerable = tasks.filter(({ notJudged }) => notJudged === null);
  const withGold = tasks.filter(({ gold }) => gold !== 'unknown');
  const passed = withGold.filter(({ gold }) => gold === 'passed').length;
  return {
    schema: SET_AUDIT_SCHEMA,
    passk: VERSION,
    bounds,
    trivial: TRIVIAL_SUBJECTS.map((subject) => {
      const count = answerable.filter(({ passedBy }) => passedBy.includes(subject)).length;
      const rate = answerable.length === 0 ? null : count / answerable.length;
      return {
        subject,
        tasks: answerable.length,
        passed: count,
        rate,
        isTooMany: rate !== null && rate > maxTrivial,
      };
    }),
    gold: { tasks: withGold.length, passed, rate: withGold.length === 0 ? null : passed / withGold.length },
    tasks,
    duplicates: duplicatesIn(found),
  };
}

/** 1: a trivial subject passes too much, or gold answers fail. 3: nothing could be judged. 0: neither. */
export function setAuditExitCode({ trivial, gold }: Pick<SetAudit, 'trivial' | 'gold'>): 0 | 1 | 3 {
  if (trivial.some(({ isTooMany }) => isTooMany) || gold.passed < gold.tasks) return 1;
  return trivial.every(({ tasks }) => tasks === 0) ? 3 : 0;
}

/** What holds no scenarios holds recorded runs; so does a folder without any. */
function kindsOfPaths(paths: readonly string[], cwd: string): Pick<RunSuiteOptions, 'paths' | 'recordings'> {
  if (paths.length === 0) {
    throw new PasskError('USAGE', 'No file was named.', { hint: 'Name scenarios, or files with recorded runs.' });
  }
  const isSuite = (name: string): boolean => {
    const place = path.resolve(cwd, name);
    return kindOf(place) === 'folder' ? scenarioFilesIn(place).files.length > 0 : holdsScenarios(place);
  };
  return { paths: paths.filter(isSuite), recordings: paths.filter((one) => !isSuite(one)) };
}

/** Sessions of several agents on one task are one task, and what a control says is no answer to it. */
function withoutRepeatedTasks(scenarios: readonly Scenario[]): readonly Scenario[] {
  const seen = new Set<string>();
  return scenarios.filter((scenario) => {
    if (factsOf(scenario.subject).task === undefined) return true;
    if (scenario.expected.fails !== undefined) return false;
    const key = `${scenario.file}\n${contentOf(scenario)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The tasks of recorded runs, which are read for it. */
export async function recordedTasks(
  scenario: Scenario,
  { registry, root }: SuiteInput,
  reads: readonly string[],
): Promise<readonly FoundTask[]> {
  if (!isRecording(scenario)) throw new PasskError('INTERNAL', `"${scenario.name}" was not judged.`);
  const { importersWith } = await import('../../importers/builtin.ts');
  const importer = importersWith(registry.importers).get(scenario.subject.format);
  if (importer === undefined) throw new PasskError('INTERNAL', `Nothing reads "${scenario.subject.format}".`);
  const turns = new ThreadTurns();
  const step = (): void | Promise<void> => (turns.isOver() ? turns.next() : undefined);
  return auditRecorded(scenario, { importer, root, reads, step });
}

/** Places of tasks with one content, where it is known. */
function duplicatesIn(found: readonly FoundTask[]): readonly (readonly number[])[] {
  const byContent = new Map<string, number[]>();
  for (const [place, { content }] of found.entries()) {
    if (content === null) continue;
    const places = byContent.get(content);
    if (places === undefined) byContent.set(content, [place]);
    else places.push(place);
  }
  return [...byContent.values()].filter(({ length }) => length > 1);
}
