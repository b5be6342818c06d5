import { dirname } from 'node:path';
import { contractFileSchema } from '../contract/contract-schema.ts';
import { laxDocument } from '../contract/lax-document.ts';
import { type ContractFile, isContractDocument } from '../contract/read-contract-file.ts';
import { isWorkflowDocument } from '../scenario/is-workflow-document.ts';
import { type LoadOptions, loadScenarioDocument, openScenario } from '../scenario/load-scenario.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import { locationAt } from '../source/location-at.ts';
import { isYamlFile } from '../source/scan-folder.ts';
import { displayName, readSource } from '../source/source-file.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import { parseYaml } from '../source/yaml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import { type LoadedContract, loadContractDocument } from './load-contract.ts';
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
}

/** Loads a scenario or a contract with everything it names; null when the file is a workflow. Throws nothing. */
export async function loadFile(path: string, view: RegistryView, options: LoadFileOptions): Promise<LoadedFile | null> {
  if (isYamlFile(path)) return options.only === 'scenarios' ? null : loadYaml(path, view, options);
  const opened = openScenario(path, options);
  if (!opened.ok) return oneRow(opened.loaded);
  const { document, folder } = opened;
  if (isWorkflowDocument(document)) return null;
  const kind = isContractDocument(document) ? 'contracts' : 'scenarios';
  if (options.only !== null && options.only !== kind) return null;
  if (kind === 'scenarios') return oneRow(loadScenarioDocument(document, view, { ...options, folder }));
  return asFile(document, await loadContractDocument(document, view, { ...options, folder }));
}

/** YAML holds contracts only. */
async function loadYaml(path: string, view: RegistryView, options: LoadOptions): Promise<LoadedFile> {
  const read = readSource(path, options);
  if (!read.ok) return failed(displayName(path, options.root), read.issues);
  const parsed = await parseYaml(read.source);
  if (!parsed.ok) return failed(read.source.name, parsed.issues);
  const document = laxDocument(parsed.document, contractFileSchema);
  if (!isContractDocument(document)) return failed(read.source.name, [...parsed.issues, noContract(document)]);
  const folder = dirname(path);
  return asFile(document, await loadContractDocument(document, view, { ...options, folder }), parsed.issues);
}

function asFile(document: SourceDocument, loaded: LoadedContract, before: readonly Issue[] = []): LoadedFile {
  const [first, ...rest] = loaded.rows;
  const rows = first === undefined ? [] : [{ ...first, issues: [...before, ...first.issues] }, ...rest];
  return { file: document.source.name, rows, contract: loaded.file, issues: [...before, ...loaded.issues] };
}

function failed(file: string, issues: readonly Issue[]): LoadedFile {
  return oneRow({ ok: false, file, name: file, capabilities: [], trials: 0, issues });
}

function oneRow(loaded: LoadedScenario): LoadedFile {
  return { file: loaded.file, rows: [loaded], contract: null, issues: loaded.issues };
}

function noContract({ source }: SourceDocument): Issue {
  return {
    code: 'not_a_contract',
    severity: 'error',
    message: 'This is no contract: the file has neither "contract" nor "agent" with "golden_prompts".',
    at: locationAt(source, 0),
    hint: 'Scenarios are written in TOML; of YAML only contracts are read.',
  };
}
