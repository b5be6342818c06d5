import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isContractDocument } from '../suites/contract/is-contract-document.ts';
import type { ContractFile } from '../suites/contract/read-contract-file.ts';
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
import type { SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import type { SuitePart } from '../settings/suite-part.ts';

/** What one file gave: rows of the suite, and the contract that they are parts of. */
export interface LoadedFile {
  /** As it is shown. */
  readonly file: string;
  readonly rows: readonly LoadedScenario[];
  /** Null: it is no contract, or did not load. */
  readonly contract: ContractFile | null;
  readonly issues: readonly Issue[];
}

export interface LoadFileOptions extends LoadOptions {
  /** Files of the other kind are passed over; null: both are loaded. */
  readonly only: SuitePart | null;
}

type Loading = LoadedFile | null | Promise<LoadedFile | null>;

/**
 * Loads a scenario or a contract with everything it names; null when the file is a workflow, or was found in a folder and
 * belongs to another program. Throws nothing, and gives no promise for a scenario: a suite has thousands.
 */
export function loadFile({ path, name, named }: DiscoveredFile, view: RegistryView, options: LoadFileOptions): Loading {
  if (isYamlFile(path)) return options.only === 'scenarios' ? null : loadYamlFile(path, view, options);
  const opened = openScenario(path, options, name);
  if (!opened.ok) return oneRow(opened.loaded);
  const { document, folder } = opened;
  if (isFixture(path, document)) {
    return options.only === 'contracts' ? null : loadFixtureFile(document, view, { ...options, folder });
  }
  if (isWorkflowDocument(document) || (!named && isForeignDocument(document))) return null;
  const kind = isContractDocument(document) ? 'contracts' : 'scenarios';
  if (options.only !== null && options.only !== kind) return null;
  const places = { ...options, folder };
  return kind === 'scenarios'
    ? oneRow(loadScenarioDocument(document, view, places))
    : loadContract(document, view, places);
}

/** True for `fixture.toml` of agentd's fixture runner, which stands beside the `workflow.toml` that it tests. */
function isFixture(path: string, { data }: SourceDocument): boolean {
  if (basename(path) !== 'fixture.toml' || Object.hasOwn(data, 'workflow')) return false;
  return existsSync(join(dirname(path), 'workflow.toml'));
}

// Most suites have no contract and no fixture, and need nothing of them.

async function loadFixtureFile(
  document: SourceDocument,
  view: RegistryView,
  options: DocumentOptions,
): Promise<LoadedFile> {
  const { loadFixture } = await import('../scenario/load-fixture.ts');
  return oneRow(loadFixture(document, view, options));
}

async function loadYamlFile(path: string, view: RegistryView, options: LoadFileOptions): Promise<LoadedFile | null> {
  const { loadYaml } = await import('./load-yaml.ts');
  return loadYaml(path, view, options);
}

async function loadContract(
  document: SourceDocument,
  view: RegistryView,
  options: DocumentOptions,
): Promise<LoadedFile> {
  const { loadContractDocument } = await import('./load-contract.ts');
  const { file, ...rest } = await loadContractDocument(document, view, options);
  return { file: document.source.name, contract: file, ...rest };
}

function oneRow(loaded: LoadedScenario): LoadedFile {
  return { file: loaded.file, rows: [loaded], contract: null, issues: loaded.issues };
}
