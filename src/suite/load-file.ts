import { isContractDocument } from '../contract/is-contract-document.ts';
import type { ContractFile } from '../contract/read-contract-file.ts';
import { isWorkflowDocument } from '../scenario/is-workflow-document.ts';
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
import type { SuitePart } from './suite-part.ts';

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
  /** The same options with the folder that files stand in, for each that was met; begins empty. Absent: not kept. */
  readonly byFolder?: Map<string, DocumentOptions>;
}

type Loading = LoadedFile | null | Promise<LoadedFile | null>;

/**
 * Loads a scenario or a contract with everything it names; null when the file is a workflow. Throws nothing, and gives
 * no promise for a scenario: a suite has thousands.
 */
export function loadFile(
  { path, name }: Pick<DiscoveredFile, 'path' | 'name'>,
  view: RegistryView,
  options: LoadFileOptions,
): Loading {
  if (isYamlFile(path)) return options.only === 'scenarios' ? null : loadYamlFile(path, view, options);
  const opened = openScenario(path, options, name);
  if (!opened.ok) return oneRow(opened.loaded);
  const { document, folder } = opened;
  if (isWorkflowDocument(document)) return null;
  const kind = isContractDocument(document) ? 'contracts' : 'scenarios';
  if (options.only !== null && options.only !== kind) return null;
  const places = placesIn(folder, options);
  return kind === 'scenarios'
    ? oneRow(loadScenarioDocument(document, view, places))
    : loadContract(document, view, places);
}

function placesIn(folder: string, options: LoadFileOptions): DocumentOptions {
  const known = options.byFolder?.get(folder);
  if (known !== undefined) return known;
  const places = { ...options, folder };
  options.byFolder?.set(folder, places);
  return places;
}

// Most suites have no contract, and need nothing of them.

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
