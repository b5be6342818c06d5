import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { kindOf } from '../suites/kinds.ts';
import type { LoadedDocument, SuiteKind } from '../suites/suite-kind.ts';
import { isForeignDocument, isWorkflowDocument } from '../scenario/document-kind.ts';
import {
  type DocumentOptions,
  type LoadOptions,
  loadScenarioDocument,
  openScenario,
} from '../scenario/load-scenario.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import { isYamlFile } from '../source/scan-folder.ts';
import type { DiscoveredFile } from '../source/discover.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import type { SuitePart } from '../settings/suite-part.ts';

/** What one file gave: rows of the suite, and what they are run for. */
export interface LoadedFile extends LoadedDocument {
  /** As it is shown. */
  readonly file: string;
  /** Null: it holds no scenario that stands for itself, or could not be read. */
  readonly source: SourceFile | null;
}

export interface LoadFileOptions extends LoadOptions {
  /** Files of other kinds are passed over; null: all are loaded. */
  readonly only: SuitePart | null;
  readonly kinds: readonly SuiteKind[];
}

type Loading = LoadedFile | null | Promise<LoadedFile | null>;

/**
 * Loads a scenario, or a file of another kind, with everything it names; null when the file is a workflow, or was found in a
 * folder and belongs to another program. Throws nothing, and gives no promise for a scenario: a suite has thousands.
 */
export function loadFile({ path, name, named }: DiscoveredFile, view: RegistryView, options: LoadFileOptions): Loading {
  if (isYamlFile(path)) return options.only === 'scenarios' ? null : loadYamlFile(path, view, options);
  const opened = openScenario(path, options, name);
  if (!opened.ok) return oneRow(opened.loaded, null);
  const { document, folder } = opened;
  if (isFixture(path, document)) {
    return options.only === 'contracts' ? null : loadFixtureFile(document, view, { ...options, folder });
  }
  const { only, kinds } = options;
  if (isWorkflowDocument(document) || (!named && isForeignDocument(document, kinds))) return null;
  const kind = kindOf(document, kinds);
  if (only !== null && only !== (kind?.plural ?? 'scenarios')) return null;
  const places = { ...options, folder };
  return kind === undefined
    ? oneRow(loadScenarioDocument(document, view, places), document.source)
    : loadDocument(kind, document, view, places);
}

/** True for `fixture.toml` of agentd's fixture runner, which stands beside the `workflow.toml` that it tests. */
function isFixture(path: string, { data }: SourceDocument): boolean {
  if (basename(path) !== 'fixture.toml' || Object.hasOwn(data, 'workflow')) return false;
  return existsSync(join(dirname(path), 'workflow.toml'));
}

// Most suites have no fixture and no YAML, and need nothing of them.

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

async function loadDocument(
  kind: SuiteKind,
  document: SourceDocument,
  view: RegistryView,
  options: DocumentOptions,
): Promise<LoadedFile> {
  return { file: document.source.name, source: null, ...(await (await kind.open()).load(document, view, options)) };
}

function oneRow(loaded: LoadedScenario, source: SourceFile | null): LoadedFile {
  return { file: loaded.file, source, rows: [loaded], definitions: [], notRun: [], issues: loaded.issues };
}
