import path from 'node:path';
import {
  ImportError,
  type ImportedCost,
  type ImportedRun,
  type ImportedScore,
  type ImporterType,
  type ImportSource,
  type RunPiece,
} from '../plugin/importer-type.ts';
import type { Json } from '../types/json.ts';
import { countAt, fieldAt, listAt, numberAt, textAt } from '../values/json-fields.ts';
import { isRecord } from '../values/is-json.ts';
import { messageOf } from '../values/message-of.ts';
import { readTrajectory } from './atif/atif.ts';
import { isTrajectoryHead, type Outline, outlineOf, runsOf } from './atif/find-trajectories.ts';
import { readTrajectories } from './atif/read-trajectory.ts';
import { headJson } from './head-json.ts';
import { jsonPlaces } from './json-places.ts';
import { readObject } from './read-record.ts';
import { timeBetween } from './time-between.ts';
import { groupBy } from '../values/group-by.ts';

/** Jobs of Harbor: a folder for each trial, which is one attempt at one task. */
export const harbor: ImporterType = {
  kind: 'importer',
  type: 'harbor',
  summary: 'Job folders of Harbor: TRIAL/result.json with rewards, and the trajectory of its agent.',
  detects(source) {
    return trialFolders(source).some(({ result }) => {
      const keys = result === null ? new Set<string>() : headJson(source.head(result)).keys;
      return keys.has('trial_name') && keys.has('task_name');
    });
  },
  *index(source, index) {
    const unnamed: (readonly RunPiece[])[] = [];
    const sets = new Set<string>();
    const files = filesByFolder(source.files);
    for (const { folder, config, result } of trialFolders(source)) {
      if (result === null) {
        index.problem({ message: 'The trial has no result.json: it did not come to its end.', file: config ?? 0 });
        continue;
      }
      const name = yield* setName(source, result);
      const trajectories = yield* trajectoriesIn(source, folder, files);
      const pieces = [whole(source, result), ...trajectories];
      if (name === null) {
        unnamed.push(pieces);
        continue;
      }
      sets.add(name);
      index.set(name).add(...pieces);
    }
    // A result that cannot be read belongs to the set of the others, where there is one set.
    const [only] = sets;
    for (const pieces of unnamed) index.set(sets.size === 1 && only !== undefined ? only : '').add(...pieces);
  },
  read([piece, ...others], { files }) {
    const result = readObject(piece);
    const name = textAt(result, 'task_name');
    if (name === null) throw new ImportError('It has no "task_name".');
    const checksum = textAt(result, 'task_checksum');
    const exceptions = [result, ...listAt(result, 'step_results')].flatMap((one) => exceptionOf(one) ?? []);
    const scores = rewardsOf(result);
    const isAgents = exceptions.every(({ type }) => AGENT_EXCEPTIONS.has(type));
    const [first] = exceptions;
    const error = first !== undefined && !isAgents ? first.text : scores.length === 0 ? noReward(first?.text) : null;
    const costs = costsOf(result);
    const durationMs = durationOf(fieldAt(result, 'agent_execution')) ?? durationOf(result);
    const { unsaid, ...conversation } = trajectoryOf(others, files.slice(1));
    const id = textAt(result, 'trial_name');
    return {
      task: checksum === null ? name : `${name}@${checksum.slice(0, 8)}`,
      ...(id !== null && { id }),
      scores,
      ...(error !== null && { error }),
      ...(first !== undefined && isAgents && error === null && { ending: endingOf(first) }),
      ...conversation,
      ...(costs.length > 0 && { costs }),
      ...(durationMs !== null && { durationMs }),
      extra: { source: textAt(result, 'source'), task_id: (fieldAt(result, 'task_id') ?? null) as Json },
      unsaid,
    } satisfies ImportedRun;
  },
};

interface TrialFolder {
  /** Relative to the source; '' for itself. */
  readonly folder: string;
  /** Position of its config.json; null: it has none. */
  readonly config: number | null;
  readonly result: number | null;
}

/** Folders inside a trial, whose files may have the names of a trial's own files. */
const LEFT_BEHIND = new Set(['artifacts', 'agent', 'user-agent', 'verifier', 'logs']);

/** Folders that have a config.json or result.json and hold no other such folder: a job's folder holds those of its trials. */
function trialFolders(source: Pick<ImportSource, 'files' | 'head'>): readonly TrialFolder[] {
  const folders = new Map<string, { config: number | null; result: number | null }>();
  for (const [file, { name }] of source.files.entries()) {
    const base = path.posix.basename(name);
    if (base !== 'result.json' && base !== 'config.json') continue;
    const folder = folderOf(name);
    const files = folders.get(folder) ?? { config: null, result: null };
    files[base === 'result.json' ? 'result' : 'config'] = file;
    folders.set(folder, files);
  }
  const trialLike = [...folders].filter(
    ([folder]) =>
      !foldersAbove(folder).some((above) => folders.has(above) && LEFT_BEHIND.has(firstBelow(above, folder))),
  );
  const holding = new Set(trialLike.flatMap(([folder]) => foldersAbove(folder)));
  return trialLike
    .filter(([folder, { result }]) => !holding.has(folder) && !isJob(source, result))
    .map(([folder, files]) => ({ folder, ...files }));
}

/** The folder of a file; '' for the source itself. */
function folderOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

function foldersAbove(folder: string): readonly string[] {
  const parts = folder.split('/');
  return folder === '' ? [] : parts.map((_, at) => parts.slice(0, at).join('/'));
}

function firstBelow(above: string, folder: string): string {
  return folder.slice(above === '' ? 0 : above.length + 1).split('/')[0] ?? '';
}

/** Whether the result is that of a job, which may have no trials yet. */
function isJob(source: Pick<ImportSource, 'head'>, result: number | null): boolean {
  return result !== null && headJson(source.head(result)).keys.has('n_total_trials');
}

function whole(source: ImportSource, file: number): RunPiece {
  return { file, from: 0, to: source.files[file]?.bytes ?? 0 };
}

/** The agent, its version and model; null: they cannot be read. */
function* setName(source: ImportSource, file: number): Generator<void, string | null> {
  try {
    const { text, cut } = yield* jsonPlaces({
      read: (from, to) => source.read(file, from, to),
      bytes: source.files[file]?.bytes ?? 0,
      paths: [['agent_result'], ['verifier_result'], ['exception_info'], ['step_results'], ['config']],
      found: () => undefined,
    });
    const result: unknown = cut === null ? JSON.parse(text) : headJson(source.head(file)).values;
    if (fieldAt(result, 'agent_info') === undefined) return null;
    const model = textAt(result, 'agent_info', 'model_info', 'name');
    const provider = textAt(result, 'agent_info', 'model_info', 'provider');
    const agent = [textAt(result, 'agent_info', 'name'), textAt(result, 'agent_info', 'version')].filter(Boolean);
    return [...agent, ...(model === null ? [] : [`(${provider === null ? model : `${provider}/${model}`})`])].join(' ');
  } catch (error) {
    // Reading the run gives the error again, with its place.
    if (error instanceof ImportError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The trajectory that the agent of a trial wrote, and those that it refers to. */
function* trajectoriesIn(
  source: ImportSource,
  folder: string,
  files: ReadonlyMap<string, readonly number[]>,
): Generator<void, readonly RunPiece[]> {
  const near = [folder === '' ? 'agent' : `${folder}/agent`, folder].map((one) => files.get(one) ?? []);
  const isMain = (file: number): boolean => path.posix.basename(source.files[file]?.name ?? '') === 'trajectory.json';
  const beside = near.find((one) => one.some(isMain)) ?? [];
  const outlines: Outline[] = [];
  for (const file of beside) {
    if (isMain(file) || (source.files[file]?.name.endsWith('.json') && isTrajectoryHead(source.head(file)))) {
      outlines.push(yield* outlineOf(source, whole(source, file)));
    }
  }
  const run = runsOf(outlines).find((one) => one.some(({ place }) => isMain(place.file))) ?? [];
  return run.map(({ place }) => place);
}

/** Positions of files by the folder that they stand in. */
function filesByFolder(files: ImportSource['files']): ReadonlyMap<string, readonly number[]> {
  return groupBy(files.keys(), (file) => folderOf(files[file]?.name ?? ''));
}

/** The conversation of the run. Without one where the trajectory cannot be read. */
function trajectoryOf(
  pieces: readonly Uint8Array[],
  files: readonly string[],
): Pick<ImportedRun, 'messages' | 'calls'> & { readonly unsaid: Readonly<Record<string, string>> } {
  if (pieces.length === 0) return { unsaid: { messages: 'the agent wrote no trajectory' } };
  try {
    const heads = pieces.map((piece, at) => ({ file: files[at] ?? '', head: readTrajectory(piece) }));
    const { messages, calls, unsaid } = readTrajectories(heads);
    return { ...(messages && { messages }), ...(calls && { calls }), unsaid };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return { unsaid: { messages: `the trajectory of the agent cannot be read: ${messageOf(error)}` } };
  }
}

/**
 * Rewards of the trial, the one called `reward` first, then those of its steps. Throws for a reward that is no number, which
 * Harbor never writes.
 */
function rewardsOf(result: unknown): readonly ImportedScore[] {
  const rewards = rewardsAt(result, '');
  const isMain = ({ name }: ImportedScore): boolean => name === 'reward';
  const ordered = [...rewards.filter(isMain), ...rewards.filter((score) => !isMain(score))];
  const ofSteps = listAt(result, 'step_results').flatMap((step, at) =>
    rewardsAt(step, `${textAt(step, 'step_name') ?? `step ${at + 1}`}/`),
  );
  return ordered.length === 0 ? [] : [...ordered, ...ofSteps];
}

function rewardsAt(result: unknown, prefix: string): readonly ImportedScore[] {
  const rewards = fieldAt(result, 'verifier_result', 'rewards');
  if (rewards === undefined || rewards === null) return [];
  if (!isRecord(rewards)) throw new ImportError('Its rewards are no object.');
  return Object.entries(rewards).map(([name, value]) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new ImportError(`The reward "${name}" is no number.`);
    return { name: `${prefix}${name}`, value };
  });
}

interface Exception {
  readonly type: string;
  readonly text: string;
}

/** Exceptions that are the agent's own doing, so that the reward counts: it used up its budget, or refused the task. */
const AGENT_EXCEPTIONS = new Set([
  'AgentTimeoutError',
  'ContextWindowExceededError',
  'OutputTokenExceededError',
  'ContextLengthExceededError',
  'OutputLengthExceededError',
  'AgentSafetyRefusalError',
  'ContentPolicyViolationError',
]);

function exceptionOf(result: unknown): Exception | null {
  const info = fieldAt(result, 'exception_info');
  if (info === undefined || info === null) return null;
  const type = textAt(info, 'exception_type') ?? 'an exception';
  const message = textAt(info, 'exception_message') ?? '';
  return { type, text: message === '' ? type : `${type}: ${message}` };
}

function noReward(why: string | undefined): string {
  return why === undefined ? 'Its verifier gave no reward.' : `Its verifier gave no reward. ${why}`;
}

function endingOf({ type, text }: Exception): NonNullable<ImportedRun['ending']> {
  return { status: type === 'AgentTimeoutError' ? 'timed_out' : 'failed', reason: text };
}

/** Costs by model where the agent writes them so, else those of an attempt. Harbor counts cached tokens as input. */
function costsOf(result: unknown): readonly ImportedCost[] {
  const agentResult = fieldAt(result, 'agent_result');
  const all = isRecord(agentResult)
    ? [agentResult]
    : listAt(result, 'step_results').map((step) => fieldAt(step, 'agent_result'));
  const model = textAt(result, 'agent_info', 'model_info', 'name') ?? 'model';
  return all.flatMap((one) => {
    const models = fieldAt(one, 'model_usage');
    const entries = isRecord(models) ? Object.entries(models) : [];
    return entries.length > 0 ? entries.flatMap(([name, usage]) => costOf(name, usage)) : costOf(model, one);
  });
}

function costOf(name: string, usageFacts: unknown): readonly ImportedCost[] {
  const prompt = countAt(usageFacts, 'n_input_tokens');
  const completion = countAt(usageFacts, 'n_output_tokens');
  const cached = countAt(usageFacts, 'n_cache_tokens');
  const usd = numberAt(usageFacts, 'cost_usd');
  const usage = {
    ...(prompt !== null && { promptTokens: prompt }),
    ...(completion !== null && { completionTokens: completion }),
    ...(cached !== null && { cachedTokens: cached }),
  };
  const isTold = Object.keys(usage).length > 0;
  if (!isTold && usd === null) return [];
  return [{ kind: 'model', name, ...(isTold && { usage }), ...(usd !== null && usd >= 0 && { usd }) }];
}

function durationOf(phase: unknown): number | null {
  return timeBetween(textAt(phase, 'started_at'), textAt(phase, 'finished_at'));
}
