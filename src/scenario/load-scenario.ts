import { dirname, resolve } from 'node:path';
import type { KnownWorkflows } from './load-workflow.ts';
import type { ReadAhead } from '../source/read-ahead.ts';
import type { RealFolders } from '../source/read-ordinary.ts';
import { readSource } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import { numberAt, textAt, textsAt } from '../workflow/raw-data.ts';
import { buildScenario } from './build-scenario.ts';
import { isWorkflowDocument } from './is-workflow-document.ts';
import type { RegistryView } from './registry-view.ts';

export interface LoadOptions {
  /** Absolute folder that names in messages and reports are relative to. */
  readonly root: string;
  /** Absolute working directory, where files are looked for last. */
  readonly cwd: string;
  /** Larger files are refused. */
  readonly maxBytes?: number;
  /** Files and folders, links resolved, that may be read; absent: all. */
  readonly within?: readonly string[];
  /** What is known of folders from files loaded before. */
  readonly realFolders?: RealFolders;
  /** Where files may have been read and parsed before they are wanted, under the same limits. */
  readonly ahead?: ReadAhead | null;
  /** Workflow files that others named, read under the same options. */
  readonly workflows?: KnownWorkflows;
  /** True: scenarios are shown to nobody but passk, and so need not be frozen; absent: they are. */
  readonly isOwn?: boolean;
}

/** Loads one scenario file with everything it names; null when the file is a workflow, not a scenario. Throws nothing. */
export function loadScenario(file: string, registry: RegistryView, options: LoadOptions): LoadedScenario | null {
  const opened = openScenario(resolve(options.cwd, file), options);
  if (!opened.ok) return opened.loaded;
  if (isWorkflowDocument(opened.document)) return null;
  return loadScenarioDocument(opened.document, registry, { ...options, folder: opened.folder });
}

/** A document that may be a scenario, or why there is none. */
export type OpenedScenario =
  | {
      readonly ok: true;
      readonly document: SourceDocument;
      /** Absolute. */
      readonly folder: string;
    }
  | { readonly ok: false; readonly loaded: LoadedScenario };

/** Reads and parses the file at an absolute path, without a look at what it says. `name`: as it is shown, where known. */
export function openScenario(path: string, options: LoadOptions, name?: string): OpenedScenario {
  const read = readSource(path, options, name);
  if (!read.ok) return { ok: false, loaded: notLoaded(read.issues) };
  const parsed = parseToml(read.source);
  if (!parsed.ok) return { ok: false, loaded: notLoaded(parsed.issues, read.source.name) };
  return { ok: true, document: parsed.document, folder: dirname(path) };
}

/** Loads a scenario from TOML text; files it names are looked for in the working directory. */
export function loadScenarioText(text: string, registry: RegistryView, options: LoadOptions): LoadedScenario {
  const parsed = parseToml({ path: MEMORY, name: MEMORY, text });
  if (!parsed.ok) return notLoaded(parsed.issues);
  return loadScenarioDocument(parsed.document, registry, { ...options, folder: options.cwd });
}

/** The name of files that are not on disk. */
export const MEMORY = '<memory>';

export interface DocumentOptions extends LoadOptions {
  /** Absolute folder of the scenario. */
  readonly folder: string;
  /** The workflow's document, when it is not text of the scenario. */
  readonly workflow?: SourceDocument;
}

/** Loads a scenario from a document that has been parsed. */
export function loadScenarioDocument(
  document: SourceDocument,
  registry: RegistryView,
  options: DocumentOptions,
): LoadedScenario {
  const { data, source } = document;
  const { scenario, issues } = buildScenario(document, registry, options);
  const file = source.name;
  if (scenario !== null) return { ok: true, file, scenario, issues };
  return {
    ok: false,
    file,
    name: textAt(data, 'name') ?? file,
    capabilities: textsAt(data, 'capabilities'),
    trials: Math.max(1, numberAt(data, 'trials') ?? 1),
    issues,
  };
}

function notLoaded(issues: readonly Issue[], file: string = issues[0]?.at?.file ?? MEMORY): LoadedScenario {
  return { ok: false, file, name: file, capabilities: [], trials: 0, issues };
}
