import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import { isRecord } from '../values/is-json.ts';
import type { Gate } from '../types/reports/gate.ts';
import type { Issue } from '../types/issue.ts';
import type { ModelEndpoint } from '../types/model-endpoint.ts';
import type { Permissions } from '../types/permissions.ts';
import type { StopRule } from '../types/stop-early.ts';
import { type ResolvedCassette, resolveCassette } from './cassette-options.ts';
import { forecastIssues } from './forecast-issues.ts';
import { resolveJournal, type RunJournalOptions } from './journal-options.ts';
import type { LiveModel } from './live-functions.ts';
import { judgeIssues } from './judge-options.ts';
import { modelIssues, resolveModels } from './model-options.ts';
import { optionIssues } from './option-issues.ts';
import { grantFlags, permissionIssues, resolvePermissions } from './permission-options.ts';
import { pluginUrl } from './plugin-url.ts';
import { type ResolvedQueueOptions, resolveQueue } from './queue-options.ts';
import { resolveGates } from './resolve-gates.ts';
import type { COMPARISON } from './rows/comparison.ts';
import type { Setting, Table } from './setting.ts';
import type { FilledIn, OptionsFor } from './setting-types.ts';
import { resolveStopRule, stopEarlyIssues } from './stop-early-option.ts';
import { SETTINGS } from './table.ts';

/** Which scenarios to load. */
export type LoadSuiteOptions = OptionsFor<'load'>;

/** Which scenarios to run, and how. */
export type RunSuiteOptions = OptionsFor<'load' | 'run'>;

/** What a run is compared with, what later runs are compared with, and what it costs to go on. */
export type BaselineOptions = Omit<Pick<RunSuiteOptions, keyof typeof COMPARISON & keyof RunSuiteOptions>, 'prices'>;

/** Load options with every default filled in. */
export interface ResolvedLoadOptions
  extends Omit<FilledIn<'load'>, 'paths' | 'cwd' | 'plugins' | 'permissions' | 'models'> {
  readonly paths: readonly string[];
  readonly cwd: string;
  /** As `file:` URLs. */
  readonly plugins: readonly string[];
  /** As the user named them. */
  readonly givenPlugins: readonly string[];
  /** Paths are absolute. */
  readonly permissions: Permissions;
  /** The same as flags, for commands that are shown. */
  readonly grantFlags: readonly string[];
  readonly models: Readonly<Record<string, LiveModel>>;
  readonly endpoints: Readonly<Record<string, ModelEndpoint>>;
}

/** Run options with every default filled in; paths are absolute. */
export interface ResolvedRunOptions
  extends ResolvedLoadOptions,
    Omit<FilledIn<'run'>, 'gates' | 'bail' | 'stopEarly' | 'journal' | 'queue' | 'record' | 'replay'> {
  readonly gates: readonly Gate[];
  /** Failing scenarios that end the run; 0: none do. */
  readonly bail: number;
  /** Null: every scenario runs all its trials. */
  readonly stopEarly: StopRule | null;
  /** Null: none. The folder is absolute. */
  readonly journal: Required<RunJournalOptions> | null;
  /** Null: this process runs the trials. */
  readonly queue: ResolvedQueueOptions | null;
  /** Null: none takes part. */
  readonly cassette: ResolvedCassette | null;
}

/** Throws one `USAGE` error over options that do not exist or cannot be used. */
export function resolveLoadOptions(options: LoadSuiteOptions): ResolvedLoadOptions {
  refuse([...optionIssues(options), ...permissionIssues(options.permissions)]);
  return loadOptions(options);
}

/** Throws one `USAGE` error that lists every option that cannot be used. */
export function resolveRunOptions(options: RunSuiteOptions): ResolvedRunOptions {
  const issues = optionIssues(options);
  const { gates, issues: gateIssues } = resolveGates(Array.isArray(options.gates) ? options.gates : []);
  refuse([
    ...issues,
    ...gateIssues,
    ...stopEarlyIssues(options),
    ...modelIssues(isRecord(options.models) ? options.models : {}),
    ...judgeIssues(options.judges),
    ...permissionIssues(options.permissions),
    ...forecastIssues(options.forecast),
  ]);
  const load = loadOptions(options);
  const { cwd } = load;
  const { record: _, replay: __, ...run } = filledIn<FilledIn<'run'>>(options, 'run');
  return {
    ...load,
    ...run,
    ...absolutePaths(run, cwd),
    gates,
    stopEarly: resolveStopRule(options.stopEarly),
    journal: run.journal === null ? null : resolveJournal(run.journal, cwd),
    bail: Number(run.bail),
    traceContext: run.traceContext === 'auto' ? randomUUID() : run.traceContext,
    queue: run.queue === null ? null : resolveQueue(run.queue),
    cassette: resolveCassette(options, cwd),
  };
}

function loadOptions(options: LoadSuiteOptions): ResolvedLoadOptions {
  const load = filledIn<FilledIn<'load'>>(options, 'load');
  const cwd = path.resolve(load.cwd ?? process.cwd());
  const permissions = resolvePermissions(load.permissions ?? {}, cwd);
  return {
    ...load,
    // An empty list is a list: nobody who filtered all of it away meant the folder.
    paths: options.paths ?? (options.scenarios === undefined && options.recordings === undefined ? load.paths : []),
    cwd,
    plugins: load.plugins.map((plugin) => pluginUrl(plugin, cwd)),
    givenPlugins: load.plugins,
    permissions,
    grantFlags: grantFlags(permissions, cwd),
    ...resolveModels(options.models ?? {}),
  };
}

/** The options of the table that are for `who`, with defaults; null where there is none. */
export function filledIn<Filled>(options: object, who: Setting['option'], table: Table = SETTINGS): Filled {
  const values = options as Readonly<Record<string, unknown>>;
  const rows = Object.entries(table).filter(([, { option }]) => option === who);
  // Checked by `optionIssues`, row for row.
  return Object.fromEntries(rows.map(([name, row]) => [name, values[name] ?? row.default ?? null])) as Filled;
}

/** Those of the options that name a file, from `cwd`. */
function absolutePaths<Options extends object>(options: Options, cwd: string): Partial<Options> {
  const table: Table = SETTINGS;
  const files = Object.entries(options).filter(
    ([name, value]) => typeof value === 'string' && (table[name]?.paths === 'read' || table[name]?.paths === 'written'),
  );
  // Texts stay texts.
  return Object.fromEntries(files.map(([name, file]) => [name, path.resolve(cwd, String(file))])) as Partial<Options>;
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  // Only a name without an option comes with what was meant.
  const text = issues.map(({ code, message, hint }) =>
    code === 'unknown_option' && hint ? `${message} ${hint}` : message,
  );
  throw new PasskError('USAGE', text.join(' '), { issues });
}
