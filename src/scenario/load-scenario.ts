import { dirname, resolve } from 'node:path';
import type { KnownWorkflows } from './load-workflow.ts';
import { hiddenProblem } from '../source/hidden-problem.ts';
import { isLink, readSource } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { LoadedScenario, WorkflowSubject } from '../types/scenario.ts';
import { MEMORY } from '../values/name-from-root.ts';
import { numberAt, textAt, textsAt } from '../workflow/raw-data.ts';
import { buildScenario } from './build-scenario.ts';
import { isWorkflowDocument } from './document-kind.ts';
import { isTooMuchWork, withWork } from '../values/work.ts';
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
  /** Workflow files that others named, read under the same options. */
  readonly workflows?: KnownWorkflows;
  /** Called again and again where loading takes long, so that others get the thread; absent: they do not. */
  readonly step?: () => void | Promise<void>;
  /** True: scenarios are shown to nobody but passk, and so need not be frozen; absent: they are. */
  readonly isOwn?: boolean;
}

/** Loads one scenario file with everything it names; null when the file is a workflow, not a scenario. Throws nothing. */
export function loadScenario(
  file: string,
  registry: RegistryView,
  options: LoadOptions,
): LoadedScenario<WorkflowSubject> | null {
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
  | { readonly ok: false; readonly loaded: LoadedScenario<WorkflowSubject> };

/** Reads and parses the file at an absolute path, without a look at what it says. `name`: as it is shown, where known. */
export function openScenario(path: string, options: LoadOptions, name?: string): OpenedScenario {
  const read = readSource(path, options, name);
  if (!read.ok) return { ok: false, loaded: notLoaded(read.issues) };
  const parsed = parseToml(read.source);
  if (!parsed.ok) {
    // A link may have been planted to show a file of the user's.
    const issues = isLink(path) ? [hiddenProblem(read.source, 'valid TOML', parsed.issues)] : parsed.issues;
    return { ok: false, loaded: notLoaded(issues, read.source.name) };
  }
  return { ok: true, document: parsed.document, folder: dirname(path) };
}

/** Loads a scenario from TOML text; files it names are looked for in the working directory. */
export function loadScenarioText(
  text: string,
  registry: RegistryView,
  options: LoadOptions,
): LoadedScenario<WorkflowSubject> {
  const parsed = parseToml({ path: MEMORY, name: MEMORY, text });
  if (!parsed.ok) return notLoaded(parsed.issues);
  return loadScenarioDocument(parsed.document, registry, { ...options, folder: options.cwd });
}

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
): LoadedScenario<WorkflowSubject> {
  const { data, source } = document;
  const built = withinReason(() => buildScenario(document, registry, options));
  const { scenario, issues } = built ?? { scenario: null, issues: [takesTooMuch(source.name)] };
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

/** What one file may take to load: patterns of a few characters can be very large. */
const LOAD_WORK = 20_000_000;

/** What `load` gives; null: the file takes too much work. */
export function withinReason<T>(load: () => T): T | null {
  try {
    return withWork(LOAD_WORK, load);
  } catch (error) {
    if (isTooMuchWork(error)) return null;
    throw error;
  }
}

/** The problem of a file that takes too much work. */
export function takesTooMuch(file: string): Issue {
  return {
    code: 'too_much_work',
    severity: 'error',
    message: 'This file takes too long to check: its patterns are too large.',
    at: { file, line: 1, column: 1 },
    hint: 'Write fewer or smaller ones: a{1000} is as large as a thousand letters.',
  };
}

function notLoaded(
  issues: readonly Issue[],
  file: string = issues[0]?.at?.file ?? MEMORY,
): LoadedScenario<WorkflowSubject> {
  return { ok: false, file, name: file, capabilities: [], trials: 0, issues };
}
