import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ModelTestOptions, RegistryView } from '../../scenario/registry-view.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { displayName } from '../../source/source-file.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { ROOT_LIST } from '../../source/yaml-document.ts';
import type { ModelProvider } from '../../types/model-endpoint.ts';
import { DIRECT, type ModelAccess } from '../../types/model-suite.ts';
import { tableAt, textAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import type { LoadDocumentOptions } from '../suite-kind.ts';
import { isModelFile } from './document-form.ts';
import type { Conform, Runtime } from './read-conform.ts';
import type { ReadModel } from './read-spec.ts';

/** A spec file, and all that is said of how its models are asked. */
export interface SpecPlace {
  readonly document: SourceDocument;
  readonly spec: readonly ReadModel[];
  readonly conform: Conform;
  readonly modelTests: ModelTestOptions;
  readonly view: RegistryView;
  readonly options: LoadDocumentOptions;
  readonly report: Report;
}

/** The first thing that a spec file says. */
export function startOf({ data }: SourceDocument): Pointer {
  return Object.hasOwn(data, ROOT_LIST) ? [ROOT_LIST, 0, 'model'] : ['model'];
}

/** The folder of a spec file is the plug-in; a TOML file speaks of its one model. */
export function pluginOf({ document, options }: Pick<SpecPlace, 'document' | 'options'>): string {
  if (isModelFile(document)) return textAt(tableAt(document.data, 'model'), 'name') ?? document.source.name;
  return path.basename(options.folder);
}

/** How the models of the file are asked, once for each runtime that can. */
export function accessesOf(place: SpecPlace): readonly ModelAccess[] {
  const { document, conform, modelTests, report, options, view } = place;
  if (isModelFile(document) || modelTests.runner === DIRECT) {
    return [{ ...accessOf(place, { runner: DIRECT, runtime: DIRECT }), endpoints: endpointsOf(place) }];
  }
  if (modelTests.runnerUrl !== null) {
    const runner = modelTests.runner === null || modelTests.runner === 'auto' ? 'reflection' : modelTests.runner;
    return [{ ...accessOf(place, { runner, runtime: modelTests.runtimes[0] ?? 'url' }), url: modelTests.runnerUrl }];
  }
  if (conform.runtimes.length === 0) {
    report({
      code: 'no_runtime',
      severity: view.isLint === true ? 'warning' : 'error',
      message: 'Nobody says how these models are asked: there is no conform.toml with a runtime above the file.',
      at: startOf(document),
      hint: 'Write one with [conform.runtimes.js], name a server with --url, or let passk ask with --runner direct.',
    });
    return view.isLint === true ? [accessOf(place, { runner: 'none', runtime: 'none' })] : [];
  }
  const chosen = chosenRuntimes(place);
  const belonging = chosen.filter((runtime) => isSpecOf(place, runtime));
  const runtimes = belonging.length > 0 ? belonging : chosen;
  const withEntry = runtimes.filter(({ entryFilename }) => existsSync(path.join(options.folder, entryFilename)));
  if (withEntry.length === 0 && chosen.length > 0) {
    const looked = runtimes.map(({ entryFilename, name }) => `${entryFilename} (${name})`).join(', ');
    report({
      code: 'no_entry',
      severity: view.isLint === true ? 'warning' : 'error',
      message: `Nothing registers these models: the folder has no ${looked}.`,
      at: startOf(document),
      hint: 'Write an entry that registers them, or let passk ask with --runner direct.',
    });
  }
  // Without an entry a model is listed once, whoever would ask it.
  const [unasked] = withEntry.length === 0 && view.isLint === true ? runtimes : [];
  if (unasked !== undefined) return [accessOf(place, { runner: 'none', runtime: unasked.name })];
  return withEntry.map((runtime) => ({ ...accessOf(place, chooseRunner(place, runtime)), ...entryOf(place, runtime) }));
}

/** Those that the user names, else all. */
function chosenRuntimes({ conform, modelTests, report, document }: SpecPlace): readonly Runtime[] {
  const names = modelTests.runtimes;
  const runtimeNames = conform.runtimes.map(({ name }) => name);
  for (const name of names) {
    if (runtimeNames.includes(name)) continue;
    const hint = hintFor(name, runtimeNames, 'runtimes');
    report({
      code: 'unknown_runtime',
      message: `${conform.file ?? 'conform.toml'} has no runtime "${name}".`,
      at: startOf(document),
      hint,
    });
  }
  return names.length === 0 ? conform.runtimes : conform.runtimes.filter(({ name }) => names.includes(name));
}

/** True: the file stands where the runtime has its specs. */
function isSpecOf({ modelTests, options }: SpecPlace, { specsDir }: Runtime): boolean {
  const folder = modelTests.specsDir === null ? specsDir : path.resolve(options.cwd, modelTests.specsDir);
  return folder === null || path.dirname(options.folder) === folder;
}

interface Chosen {
  readonly runner: string;
  readonly runtime: string;
}

/** The command line goes first, then `runner` of the file, then the runtime's own; what cannot be there is replaced, and said. */
function chooseRunner({ modelTests, conform, options, report, document }: SpecPlace, runtime: Runtime): Chosen {
  const { name } = runtime;
  if (modelTests.runner !== null && modelTests.runner !== 'auto') return { runner: modelTests.runner, runtime: name };
  const runnerName = conform.runner === 'auto' ? runtime.runner : conform.runner;
  const wanted = runnerName === 'auto' ? 'native' : runnerName;
  const why =
    wanted === 'native' && !existsSync(path.join(options.folder, runtime.executorFilename))
      ? `the folder has no ${runtime.executorFilename}`
      : wanted === 'in-process' && name !== 'js'
        ? `passk runs JavaScript in-process, and the runtime is ${name}`
        : null;
  if (why === null) return { runner: wanted, runtime: name };
  if (runnerName !== 'auto') {
    report({
      code: 'other_runner',
      severity: 'warning',
      message: `The models are asked by reflection instead of ${wanted}: ${why}.`,
      at: startOf(document),
      hint: 'Say --runner reflection to choose it.',
    });
  }
  return { runner: 'reflection', runtime: name };
}

function accessOf(
  { spec, conform, modelTests, document, options, view }: SpecPlace,
  { runner, runtime }: Chosen,
): ModelAccess {
  const { folder, root } = options;
  const plugin = pluginOf({ document, options });
  const seconds = (value: number): number => Math.round(value);
  return {
    runner,
    plugin,
    runtime,
    spec: document.source.name,
    entry: null,
    executor: null,
    command: [],
    cwd: displayName(folder, root),
    url: null,
    models: spec.map(({ name }) => name),
    env: conform.env[plugin] ?? [],
    startupTimeoutMs: seconds(conform.startupTimeoutMs),
    healthTimeoutMs: seconds(conform.healthTimeoutMs),
    // The command line goes before the plug-in's own, as the reference documents it.
    atOnce: Math.min(
      view.runners?.get(runner)?.atOnce ?? Number.POSITIVE_INFINITY,
      modelTests.testConcurrency ?? conform.plugins[plugin]?.testConcurrency ?? conform.testConcurrency,
    ),
    plugins: modelTests.pluginConcurrency ?? conform.concurrency,
    endpoints: null,
  };
}

function entryOf(
  { options }: SpecPlace,
  runtime: Runtime,
): Pick<ModelAccess, 'entry' | 'executor' | 'command' | 'cwd'> {
  const { folder, root } = options;
  const beside = (file: string): string | null => {
    const at = path.join(folder, file);
    return existsSync(at) ? displayName(at, root) : null;
  };
  return {
    entry: beside(runtime.entryFilename),
    executor: beside(runtime.executorFilename),
    command: runtime.command,
    cwd: displayName(runtime.cwd, root),
  };
}

/** Providers by what stands before the / of a model's name. */
const PROVIDERS: Readonly<Record<string, ModelProvider>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  googleai: 'gemini',
  'google-genai': 'gemini',
  gemini: 'gemini',
};

/** Where passk's own clients find the models, as far as the file says it. */
function endpointsOf({ spec, document, report }: SpecPlace): NonNullable<ModelAccess['endpoints']> {
  const table = isModelFile(document) ? tableAt(document.data, 'model') : {};
  const [baseUrl, apiKeyEnv] = [textAt(table, 'base_url'), textAt(table, 'api_key_env')];
  const declared = spec.flatMap(({ name }) => {
    const slash = name.indexOf('/');
    const provider =
      (textAt(table, 'provider') as ModelProvider | undefined) ?? PROVIDERS[name.slice(0, Math.max(0, slash))];
    if (provider === undefined) return [];
    const model = textAt(table, 'model') ?? name.slice(slash + 1);
    const endpoint = {
      provider,
      model,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    };
    return [[name, endpoint] as const];
  });
  if (declared.length === 0 && isModelFile(document) && baseUrl !== undefined) {
    report({
      code: 'missing_key',
      message: 'The file says where the model is, but not whose protocol it speaks.',
      at: ['model', 'base_url'],
      hint: 'Add `provider = "openai-compatible"`.',
    });
  }
  return Object.fromEntries(declared);
}
