import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { kindOf } from '../suites/kinds.ts';
import type { SuiteKind } from '../suites/suite-kind.ts';
import {
  agentAlone,
  isForeignDocument,
  isWorkflowDocument,
  settingsAlone,
  workflowAlone,
} from '../scenario/document-kind.ts';
import { type DocumentOptions, loadScenarioDocument, openScenario } from '../scenario/load-scenario.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import { configKeys } from '../settings/config-schema.ts';
import { isModuleFile, isYamlFile } from '../source/scan-folder.ts';
import type { DiscoveredFile } from '../source/discover.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import { ThreadTurns } from '../pool/thread-turns.ts';
import type { Issue } from '../types/issue.ts';
import type { DefinitionBase } from '../types/suite-base.ts';
import type { LoadedFile, LoadFileOptions } from './loaded-file.ts';

/** What all files gave, in their order. */
export interface LoadedFiles {
  /** Every file that was looked at, as it is shown. */
  readonly names: readonly string[];
  readonly rows: readonly LoadedScenario[];
  /** Of files that loaded. */
  readonly definitions: readonly DefinitionBase[];
  /** What files ask for that is not run, one sentence each. */
  readonly notRun: readonly string[];
  /** A definition of which nothing can be planned has no row that its problems could stand in. */
  readonly rowless: readonly Issue[];
  /** The texts of scenario files, by name. */
  readonly sources: ReadonlyMap<string, SourceFile>;
  /** Documents of files that are not parsed again, by name. */
  readonly documents: ReadonlyMap<string, SourceDocument>;
}

/** Loads files one after the other; a workflow file that several name is read once. */
export async function loadFiles(
  files: readonly DiscoveredFile[],
  view: RegistryView,
  options: LoadFileOptions,
): Promise<LoadedFiles> {
  const loaded = { names: [] as string[], rows: [] as LoadedScenario[], definitions: [] as DefinitionBase[] };
  const notRun: string[] = [];
  const rowless: Issue[] = [];
  const sources = new Map<string, SourceFile>();
  const documents = new Map<string, SourceDocument>();
  const places: LoadFileOptions = { ...options, workflows: new Map() };
  const turns = new ThreadTurns();
  for (const file of files) {
    if (turns.isOver()) await turns.next();
    const loading = loadFile(file, view, file.named ? placesOfNamed(file, places) : places);
    const one = loading instanceof Promise ? await loading : loading;
    if (one === null) continue;
    loaded.names.push(one.file);
    for (const row of one.rows) loaded.rows.push(row);
    loaded.definitions.push(...one.definitions);
    notRun.push(...one.notRun);
    if (one.source !== null) sources.set(one.file, one.source);
    if (one.document !== undefined) documents.set(one.file, one.document);
    if (one.rows.length === 0) rowless.push(...one.issues);
  }
  if (loaded.names.length === 0) {
    for (const one of namedWorkflows(files, places)) {
      loaded.names.push(one.file);
      loaded.rows.push(one);
    }
  }
  return { ...loaded, notRun, rowless, sources, documents };
}

/**
 * A problem for each workflow that the user named. Beside scenarios they are passed over, since a shell names all files where
 * `*.toml` stands; alone they can only be meant.
 */
function namedWorkflows(files: readonly DiscoveredFile[], options: LoadFileOptions): readonly LoadedScenario[] {
  if (options.only !== null && options.only !== 'scenarios') return [];
  return files.flatMap((file): readonly LoadedScenario[] => {
    if (!file.named || !file.path.endsWith('.toml')) return [];
    const opened = openScenario(file.path, placesOfNamed(file, options), file.name);
    const alone = opened.ok ? workflowAlone(opened.document) : null;
    return alone === null ? [] : [alone];
  });
}

/** A file that was named itself may be read wherever it is, but by no other. */
function placesOfNamed({ path }: DiscoveredFile, places: LoadFileOptions): LoadFileOptions {
  if (places.within === undefined) return places;
  return { ...places, within: [...places.within, realpathSync.native(path)], workflows: new Map() };
}

type Loading = LoadedFile | null | Promise<LoadedFile | null>;

/**
 * Loads a scenario, or a file of another kind, with everything it names; null when the file is a workflow, or was found in a
 * folder and belongs to another program or to the files that name it. Throws nothing, and gives no promise for a scenario: a
 * suite has thousands.
 */
export function loadFile({ path, name, named }: DiscoveredFile, view: RegistryView, options: LoadFileOptions): Loading {
  if (isYamlFile(path)) return options.only === 'scenarios' ? null : loadYamlFile(path, view, options);
  if (isModuleFile(path)) {
    return options.only === 'models' ? null : loadModuleFile({ path, name }, view, options);
  }
  const opened = openScenario(path, options, name);
  if (!opened.ok) return oneRow(opened.loaded, null);
  const { document, folder } = opened;
  if (isFixture(path, document)) {
    return options.only !== null && options.only !== 'scenarios'
      ? null
      : loadFixtureFile(document, view, { ...options, folder });
  }
  const { only, kinds } = options;
  const kind = kindOf(document, kinds);
  const isForeign = kind === undefined ? isForeignDocument(document, kinds) : kind.isPart?.(document) === true;
  if ((isForeign && !named) || isWorkflowDocument(document)) return null;
  if (only !== null && only !== (kind?.plural ?? 'scenarios')) return null;
  const places = { folder, ...options };
  if (kind !== undefined) return loadDocument(kind, document, view, places);
  const { data } = document;
  if (['cases', 'ladder', 'matrix'].some((key) => Object.hasOwn(data, key))) {
    return loadCasesFile(document, view, places);
  }
  const misplaced = agentAlone(document) ?? settingsAlone(document, configKeys);
  return oneRow(misplaced ?? loadScenarioDocument(document, view, places), document.source);
}

/** True for `fixture.toml` of agentd's fixture runner, which stands beside the `workflow.toml` that it tests. */
function isFixture(path: string, { data }: SourceDocument): boolean {
  if (basename(path) !== 'fixture.toml' || Object.hasOwn(data, 'workflow')) return false;
  return existsSync(join(dirname(path), 'workflow.toml'));
}

// Most suites have no fixture, no cases, no YAML and no module, and need nothing of them.

async function loadCasesFile(
  document: SourceDocument,
  view: RegistryView,
  options: DocumentOptions,
): Promise<LoadedFile> {
  const { loadWorkflowCases } = await import('../scenario/cases/load-cases.ts');
  const rows = await loadWorkflowCases(document, view, options);
  const issues = rows.flatMap((row) => row.issues);
  return { file: document.source.name, source: document.source, rows, definitions: [], notRun: [], issues };
}

async function loadFixtureFile(
  document: SourceDocument,
  view: RegistryView,
  options: DocumentOptions,
): Promise<LoadedFile> {
  const { loadFixture } = await import('../scenario/load-fixture.ts');
  return oneRow(loadFixture(document, view, options), document.source);
}

async function loadYamlFile(path: string, view: RegistryView, options: LoadFileOptions): Promise<LoadedFile | null> {
  const { loadYaml } = await import('./load-yaml.ts');
  return loadYaml(path, view, options);
}

async function loadModuleFile(
  file: Pick<DiscoveredFile, 'path' | 'name'>,
  view: RegistryView,
  options: LoadFileOptions,
): Promise<LoadedFile | null> {
  const { loadModule } = await import('./load-module.ts');
  const loaded = await loadModule(file, view, options);
  return options.only !== null && loaded.rows.length === 0 ? null : loaded;
}

async function loadDocument(
  kind: SuiteKind,
  document: SourceDocument,
  view: RegistryView,
  options: DocumentOptions,
): Promise<LoadedFile> {
  return {
    file: document.source.name,
    source: document.source,
    ...(await (await kind.open()).load(document, view, options)),
  };
}

function oneRow(loaded: LoadedScenario, source: SourceFile | null): LoadedFile {
  return { file: loaded.file, source, rows: [loaded], definitions: [], notRun: [], issues: loaded.issues };
}
