import { availableParallelism } from 'node:os';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import { LANES_PER_WORKER, MAX_CONCURRENCY } from '../pool/in-flight.ts';
import { MAX_FILE_BYTES } from '../source/source-file.ts';
import type { PriceTable } from '../types/forecast.ts';
import type { Gate } from '../types/gate.ts';
import { type Isolation, ISOLATIONS } from '../types/isolation.ts';
import type { Issue } from '../types/issue.ts';
import type { Permissions } from '../types/permissions.ts';
import type { ModelEndpoint } from '../types/model-endpoint.ts';
import type { ProgressEvent } from '../types/progress.ts';
import { type Sampler, SAMPLERS } from '../types/scenario.ts';
import type { ScenarioDefinition } from '../scenario/define-scenario.ts';
import type { StopRule } from '../types/stop-early.ts';
import {
  baselineIssues,
  type BaselineOptions,
  type ResolvedBaselineOptions,
  resolveBaselineOptions,
} from './baseline-options.ts';
import { cassetteIssues, type CassetteOptions, type ResolvedCassette, resolveCassette } from './cassette-options.ts';
import { type OptionKind, requireKnownOptions } from './known-options.ts';
import { resolveJournal, type RunJournalOptions } from './journal-options.ts';
import type { LiveModel, LiveNodeOptions } from './live-functions.ts';
import { modelIssues, type ModelOption, resolveModels } from './model-options.ts';
import { grantFlags, type PermissionOptions, permissionIssues, resolvePermissions } from './permission-options.ts';
import { pluginUrl } from './plugin-url.ts';
import { type QueueOptions, type ResolvedQueueOptions, resolveQueue } from './queue-options.ts';
import { oneOf, rate, sumOfMoney, wholeNumber } from './option-checks.ts';
import { resolveGates } from './resolve-gates.ts';
import { SUITE_PARTS, type SuitePart } from './suite-part.ts';
import { resolveStopRule, stopEarlyIssues, type StopEarlyOption } from './stop-early-option.ts';

/** Which scenarios to load. */
export interface LoadSuiteOptions {
  /** Scenario files, folders or globs; absent: the current folder, unless `scenarios` are given. */
  readonly paths?: readonly string[];
  /** Scenarios made in memory with `defineScenario`; they follow those of `paths`. */
  readonly scenarios?: readonly ScenarioDefinition[];
  /** What relative paths start from; absent: the process's working directory. */
  readonly cwd?: string;
  /** Only scenarios whose name contains one of these, or matches one written as `/pattern/`. */
  readonly names?: readonly string[];
  /** Only scenarios with one of these tags or capabilities. */
  readonly tags?: readonly string[];
  /** Files larger than this many bytes are refused; default 1 MiB. */
  readonly maxFileSize?: number;
  /** Modules with plug-ins: paths from `cwd`, package names, or `file:` URLs. */
  readonly plugins?: readonly string[];
  /** What passk may do on this machine, such as `{ net: ['127.0.0.1:8080'], run: true }`; absent: nothing. */
  readonly permissions?: PermissionOptions;
  /** Node types whose work is done by functions of this process. */
  readonly nodes?: Readonly<Record<string, LiveNodeOptions>>;
  /**
   * Models by backend name: functions of this process, which answer scenarios without turns, and real models, which
   * answer where `live` is set.
   */
  readonly models?: Readonly<Record<string, ModelOption>>;
  /** Ask models instead of turns, in every scenario; default false. */
  readonly live?: boolean;
  /** Only scenarios, or only contracts; absent: both. */
  readonly only?: SuitePart;
}

/** How to run them. Defaults are resolved in `resolveRunOptions` and nowhere else. */
export interface RunSuiteOptions extends LoadSuiteOptions, BaselineOptions, CassetteOptions {
  /** Trials of every scenario, instead of its own number. */
  readonly trials?: number;
  /** Default 0. */
  readonly seed?: number;
  readonly sampler?: Sampler;
  /** Worker threads; 0 runs inline what is built in; default: one per core. */
  readonly workers?: number;
  /**
   * What a worker is: a thread (the default), or a process of its own, which costs more to start and keeps native
   * crashes, aborts and memory outside the JavaScript heap to the trial that caused them.
   */
  readonly isolation?: Isolation;
  /** Trials in flight at once, over all workers, of scenarios that wait for the outside world; default: 16 per worker. */
  readonly concurrency?: number;
  /** A floor in [0, 1] that every scenario must reach. */
  readonly minPassRate?: number;
  /** What the overall score of contracts must reach, in [0, 1]. */
  readonly minScore?: number;
  /** Conditions that the run must meet as well, such as `pass_rate.lower(0.95) >= 0.9`. */
  readonly gates?: readonly string[];
  /** Run trials that must be the same once and count the others like them; default false. */
  readonly dedupe?: boolean;
  /** Stop at the lowest failing trial's block. */
  readonly bail?: boolean;
  /** End each scenario as soon as its verdict is settled; default false. */
  readonly stopEarly?: StopEarlyOption;
  /** Time limit of every trial, instead of the scenario's own. */
  readonly timeoutMs?: number;
  /** What all calls to real models may cost together, in USD; the run stops before the call that could cost more. */
  readonly maxCost?: number;
  /** Tokens that all calls to real models may use together. */
  readonly maxTokens?: number;
  /** USD per million tokens, for real models without a price and for `max_cost` of contracts; one number: every token. */
  readonly prices?: number | PriceTable;
  /** Write results to a journal while they come, so that a run that was cut off can go on; a path is its folder. */
  readonly journal?: string | RunJournalOptions;
  /** Let workers of a queue run the trials, on any machines; a text is its `redis://` or `rediss://` address. */
  readonly queue?: string | QueueOptions;
  /** Run what loads even when some files do not. */
  readonly keepGoing?: boolean;
  readonly onProgress?: (event: ProgressEvent) => void;
  /** What code of the user writes to its output in workers; absent: dropped. */
  readonly onOutput?: (text: string) => void;
  /** Ends the run early with a partial report. */
  readonly signal?: AbortSignal;
}

/** Load options with every default filled in. */
export interface ResolvedLoadOptions {
  readonly paths: readonly string[];
  readonly scenarios: readonly ScenarioDefinition[];
  readonly cwd: string;
  readonly names: readonly string[];
  readonly tags: readonly string[];
  readonly maxFileSize: number;
  /** As `file:` URLs. */
  readonly plugins: readonly string[];
  /** As the user named them. */
  readonly givenPlugins: readonly string[];
  /** Paths are absolute. */
  readonly permissions: Permissions;
  /** The same as flags, for commands that are shown. */
  readonly grantFlags: readonly string[];
  readonly nodes: Readonly<Record<string, LiveNodeOptions>>;
  readonly models: Readonly<Record<string, LiveModel>>;
  readonly endpoints: Readonly<Record<string, ModelEndpoint>>;
  readonly live: boolean;
  /** Null: both. */
  readonly only: SuitePart | null;
}

export interface ResolvedRunOptions extends ResolvedLoadOptions, ResolvedBaselineOptions {
  readonly trials: number | null;
  readonly seed: number;
  readonly sampler: Sampler;
  readonly workers: number;
  readonly isolation: Isolation;
  readonly concurrency: number;
  readonly minPassRate: number | null;
  readonly minScore: number | null;
  readonly gates: readonly Gate[];
  readonly dedupe: boolean;
  readonly bail: boolean;
  /** Null: every scenario runs all its trials. */
  readonly stopEarly: StopRule | null;
  readonly timeoutMs: number | null;
  readonly maxCost: number | null;
  readonly maxTokens: number | null;
  readonly prices: number | PriceTable | null;
  /** Null: none. The folder is absolute. */
  readonly journal: Required<RunJournalOptions> | null;
  /** Null: this process runs the trials. */
  readonly queue: ResolvedQueueOptions | null;
  /** Null: none takes part. */
  readonly cassette: ResolvedCassette | null;
  readonly keepGoing: boolean;
  readonly onProgress: (event: ProgressEvent) => void;
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal | null;
}

/** Every option by name: the compiler finds the one that is missing here. */
const KNOWN: Readonly<Record<keyof RunSuiteOptions, OptionKind>> = {
  paths: 'texts',
  scenarios: 'any',
  cwd: 'any',
  names: 'texts',
  tags: 'texts',
  maxFileSize: 'any',
  plugins: 'texts',
  permissions: 'any',
  nodes: 'any',
  models: 'any',
  live: 'any',
  only: 'any',
  maxCost: 'any',
  maxTokens: 'any',
  prices: 'any',
  baseline: 'any',
  saveBaseline: 'any',
  history: 'any',
  drift: 'any',
  tokenTolerance: 'any',
  driftMargin: 'any',
  driftComparisons: 'any',
  forecast: 'any',
  trials: 'any',
  seed: 'any',
  sampler: 'any',
  workers: 'any',
  isolation: 'any',
  concurrency: 'any',
  minPassRate: 'any',
  minScore: 'any',
  gates: 'texts',
  dedupe: 'any',
  bail: 'any',
  stopEarly: 'any',
  timeoutMs: 'any',
  journal: 'any',
  queue: 'any',
  record: 'any',
  replay: 'any',
  keepGoing: 'any',
  onProgress: 'any',
  onOutput: 'any',
  signal: 'any',
};

/** Throws a `USAGE` error over options that do not exist. */
export function resolveLoadOptions(options: LoadSuiteOptions): ResolvedLoadOptions {
  requireKnownOptions(options, KNOWN);
  refuse([...permissionIssues(options.permissions), ...oneOf('only', options.only, SUITE_PARTS)]);
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const scenarios = options.scenarios ?? [];
  const permissions = resolvePermissions(options.permissions ?? {}, cwd);
  return {
    paths: options.paths ?? (scenarios.length > 0 ? [] : ['.']),
    scenarios,
    cwd,
    names: options.names ?? [],
    tags: options.tags ?? [],
    maxFileSize: options.maxFileSize ?? MAX_FILE_BYTES,
    plugins: (options.plugins ?? []).map((plugin) => pluginUrl(plugin, cwd)),
    givenPlugins: options.plugins ?? [],
    permissions,
    grantFlags: grantFlags(permissions, cwd),
    nodes: options.nodes ?? {},
    ...resolveModels(options.models),
    live: options.live ?? false,
    only: options.only ?? null,
  };
}

/** Throws one `USAGE` error that lists every option that cannot be used. */
export function resolveRunOptions(options: RunSuiteOptions): ResolvedRunOptions {
  requireKnownOptions(options, KNOWN);
  const { gates, issues: gateIssues } = resolveGates(options.gates ?? []);
  const issues = [
    ...wholeNumber('trials', options.trials, 1, 2 ** 32),
    ...wholeNumber('seed', options.seed, 0, Number.MAX_SAFE_INTEGER),
    ...wholeNumber('workers', options.workers, 0, 1024),
    ...wholeNumber('concurrency', options.concurrency, 1, MAX_CONCURRENCY),
    ...wholeNumber('timeoutMs', options.timeoutMs, 1, 9e12),
    ...rate('minPassRate', options.minPassRate),
    ...rate('minScore', options.minScore),
    ...oneOf('isolation', options.isolation, ISOLATIONS),
    ...oneOf('sampler', options.sampler, SAMPLERS),
    ...gateIssues,
    ...stopEarlyIssues(options),
    ...wholeNumber('maxTokens', options.maxTokens, 1, Number.MAX_SAFE_INTEGER),
    ...sumOfMoney('maxCost', options.maxCost),
    ...modelIssues(options.models),
    ...permissionIssues(options.permissions),
    ...baselineIssues(options),
    ...cassetteIssues(options),
  ];
  refuse(issues);
  const load = resolveLoadOptions(options);
  const workers = options.workers ?? availableParallelism();
  return {
    ...load,
    ...resolveBaselineOptions(options, load.cwd),
    trials: options.trials ?? null,
    seed: options.seed ?? 0,
    sampler: options.sampler ?? 'seeded',
    workers,
    isolation: options.isolation ?? 'thread',
    concurrency: options.concurrency ?? LANES_PER_WORKER * Math.max(1, workers),
    minPassRate: options.minPassRate ?? null,
    minScore: options.minScore ?? null,
    gates,
    dedupe: options.dedupe ?? false,
    bail: options.bail ?? false,
    stopEarly: resolveStopRule(options.stopEarly),
    timeoutMs: options.timeoutMs ?? null,
    maxCost: options.maxCost ?? null,
    maxTokens: options.maxTokens ?? null,
    prices: options.prices ?? null,
    journal: options.journal === undefined ? null : resolveJournal(options.journal, load.cwd),
    queue: options.queue === undefined ? null : resolveQueue(options.queue),
    cassette: resolveCassette(options, load.cwd),
    keepGoing: options.keepGoing ?? false,
    onProgress: options.onProgress ?? (() => undefined),
    onOutput: options.onOutput ?? (() => undefined),
    signal: options.signal ?? null,
  };
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  throw new PasskError('USAGE', issues.map((issue) => issue.message).join(' '), { issues });
}
