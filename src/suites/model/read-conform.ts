import path from 'node:path';
import { checkSchema } from '../../source/check-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { numberAt, tableAt, textAt, textsAt } from '../../workflow/raw-data.ts';
import { conformSchema } from './conform-schema.ts';

/** What conform.toml says, all defaults filled in. Folders are absolute. */
export interface Conform {
  /** As it is shown; null: there is no such file. */
  readonly file: string | null;
  readonly concurrency: number;
  readonly testConcurrency: number;
  readonly maxRetries: number;
  readonly retryBaseDelayMs: number;
  readonly actionTimeoutMs: number;
  readonly healthTimeoutMs: number;
  readonly startupTimeoutMs: number;
  readonly runner: string;
  readonly additionalModelPlugins: readonly string[];
  readonly env: Readonly<Record<string, readonly string[]>>;
  readonly plugins: Readonly<Record<string, PluginOverride>>;
  /** Milliseconds for one answer, by model. */
  readonly models: Readonly<Record<string, number>>;
  readonly runtimes: readonly Runtime[];
  /** The place of a key below the table, or of the nearest table around it. */
  readonly locate: (at: Pointer, part?: 'key' | 'value') => Pick<Issue, 'at'>;
}

export interface PluginOverride {
  readonly testConcurrency: number | null;
  readonly actionTimeoutMs: number | null;
}

export interface Runtime {
  readonly name: string;
  /** Null: not said. */
  readonly specsDir: string | null;
  readonly pluginsDir: string | null;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly entryFilename: string;
  readonly executorFilename: string;
  readonly runner: string;
  readonly modelMarker: string;
}

/** Defaults of Genkit's conform 0.2, by the name of the runtime. */
const RUNTIMES: Readonly<Record<string, Omit<Runtime, 'name' | 'specsDir' | 'pluginsDir' | 'cwd'>>> = {
  python: {
    command: [],
    entryFilename: 'conformance_entry.py',
    executorFilename: 'conformance_native.py',
    runner: 'in-process',
    modelMarker: 'model_info.py',
  },
  js: {
    command: [],
    entryFilename: 'conformance_entry.ts',
    executorFilename: 'conformance_native.ts',
    runner: 'native',
    modelMarker: 'models.ts',
  },
  go: {
    command: [],
    entryFilename: 'conformance_entry.go',
    executorFilename: 'conformance_native.go',
    runner: 'native',
    modelMarker: 'model_info.go',
  },
};

/** Where nothing is said of a runtime: its entry must be named, and its server is asked. */
const OTHER = {
  command: [],
  entryFilename: 'conformance_entry',
  executorFilename: 'conformance_native',
  runner: 'reflection',
  modelMarker: 'models',
};

export const NO_CONFORM: Conform = {
  file: null,
  concurrency: 8,
  testConcurrency: 3,
  maxRetries: 2,
  retryBaseDelayMs: 1000,
  actionTimeoutMs: 120_000,
  healthTimeoutMs: 5000,
  startupTimeoutMs: 30_000,
  runner: 'auto',
  additionalModelPlugins: [],
  env: {},
  plugins: {},
  models: {},
  runtimes: [],
  locate: () => ({}),
};

/** The place of `[conform]`: at the root, else in `[tool]`; null: it is nowhere. The root goes first, as in the reference. */
export function conformPlace({ data }: SourceDocument): readonly string[] | null {
  if (isJsonObject(data['conform'])) return ['conform'];
  return isJsonObject(tableAt(data, 'tool')['conform']) ? ['tool', 'conform'] : null;
}

/** What a conform.toml or pyproject.toml says, or all that is wrong with it. */
export function readConform(
  document: SourceDocument,
  folder: string,
): { readonly conform: Conform; readonly issues: readonly Issue[] } {
  const place = conformPlace(document);
  if (place === null) {
    const hint = 'Write [conform], or [tool.conform] in a pyproject.toml.';
    const message = 'The file says nothing about how models are asked.';
    return {
      conform: NO_CONFORM,
      issues: [{ code: 'missing_key', severity: 'error', message, at: document.locate([]), hint }],
    };
  }
  const issues = checkSchema(document, place, conformSchema);
  const root = place.reduce((table: JsonObject, key) => tableAt(table, key), document.data);
  const number = (key: string, other: number, scale = 1): number => {
    const value = numberAt(root, key);
    return value === undefined ? other : value * scale;
  };
  const tables = (key: string): readonly (readonly [string, JsonObject])[] =>
    Object.entries(tableAt(root, key)).flatMap(([name, value]) =>
      isJsonObject(value) ? [[name, value] as const] : [],
    );
  const timeoutIn = (table: JsonObject): number | null => {
    const value = numberAt(table, 'action-timeout');
    return value === undefined ? null : value * 1000;
  };
  const conform: Conform = {
    file: document.source.name,
    concurrency: number('concurrency', NO_CONFORM.concurrency),
    testConcurrency: number('test-concurrency', NO_CONFORM.testConcurrency),
    maxRetries: number('max-retries', NO_CONFORM.maxRetries),
    retryBaseDelayMs: number('retry-base-delay', NO_CONFORM.retryBaseDelayMs, 1000),
    actionTimeoutMs: number('action-timeout', NO_CONFORM.actionTimeoutMs, 1000),
    healthTimeoutMs: number('health-timeout', NO_CONFORM.healthTimeoutMs, 1000),
    startupTimeoutMs: number('startup-timeout', NO_CONFORM.startupTimeoutMs, 1000),
    runner: textAt(root, 'runner') ?? 'auto',
    additionalModelPlugins: textsAt(root, 'additional-model-plugins'),
    env: Object.fromEntries(
      Object.keys(tableAt(root, 'env')).map((name) => [name, textsAt(tableAt(root, 'env'), name)]),
    ),
    plugins: Object.fromEntries(
      tables('plugin-overrides').map(([name, table]) => [
        name,
        { testConcurrency: numberAt(table, 'test-concurrency') ?? null, actionTimeoutMs: timeoutIn(table) },
      ]),
    ),
    models: Object.fromEntries(
      tables('model-overrides').flatMap(([name, table]) => {
        const timeout = timeoutIn(table);
        return timeout === null ? [] : [[name, timeout]];
      }),
    ),
    runtimes: tables('runtimes').map(([name, table]) => runtimeOf(name, table, folder)),
    locate: (at, part) => ({ at: document.locate([...place, ...at], part) }),
  };
  return { conform, issues };
}

function runtimeOf(name: string, table: JsonObject, folder: string): Runtime {
  const defaults = RUNTIMES[name] ?? OTHER;
  const place = (key: string): string | null => {
    const value = textAt(table, key);
    return value === undefined ? null : path.resolve(folder, value);
  };
  const command = textsAt(table, 'entry-command');
  return {
    name,
    specsDir: place('specs-dir'),
    pluginsDir: place('plugins-dir'),
    command,
    cwd: place('cwd') ?? folder,
    entryFilename: textAt(table, 'entry-filename') ?? defaults.entryFilename,
    executorFilename: textAt(table, 'native-entry-filename') ?? defaults.executorFilename,
    runner: textAt(table, 'default-runner') ?? defaults.runner,
    modelMarker: textAt(table, 'model-marker') ?? defaults.modelMarker,
  };
}
