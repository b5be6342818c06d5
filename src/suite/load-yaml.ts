import { dirname } from 'node:path';
import { contractFileSchema } from '../suites/contract/contract-schema.ts';
import { isContractDocument } from '../suites/contract/is-contract-document.ts';
import { laxDocument } from '../suites/contract/lax-document.ts';
import type { LoadOptions } from '../scenario/load-scenario.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import { locationAt } from '../source/location-at.ts';
import { displayName, readSource } from '../source/source-file.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import { parseYaml } from '../source/yaml-document.ts';
import type { Issue } from '../types/issue.ts';
import { loadContractDocument } from './load-contract.ts';
import type { LoadedFile } from './load-file.ts';

/** Loads a contract in YAML; YAML holds nothing else. */
export async function loadYaml(path: string, view: RegistryView, options: LoadOptions): Promise<LoadedFile> {
  const read = readSource(path, options);
  if (!read.ok) return failed(displayName(path, options.root), read.issues);
  const parsed = await parseYaml(read.source);
  if (!parsed.ok) return failed(read.source.name, parsed.issues);
  const document = laxDocument(parsed.document, contractFileSchema);
  if (isSession(document)) return failed(read.source.name, [...parsed.issues, sessionIssue(document)]);
  if (!isContractDocument(document)) return failed(read.source.name, [...parsed.issues, noContract(document)]);
  const loaded = await loadContractDocument(document, view, { ...options, folder: dirname(path) });
  const [first, ...others] = loaded.rows;
  const rows = first === undefined ? [] : [{ ...first, issues: [...parsed.issues, ...first.issues] }, ...others];
  return { file: read.source.name, rows, contract: loaded.file, issues: [...parsed.issues, ...loaded.issues] };
}

function failed(file: string, issues: readonly Issue[]): LoadedFile {
  const row = { ok: false, file, name: file, capabilities: [], trials: 0, issues } as const;
  return { file, rows: [row], contract: null, issues };
}

/** What an agent was asked once, with the answers of its tools; its `contract` is the name of one. */
function isSession({ data }: SourceDocument): boolean {
  const has = (key: string): boolean => Object.hasOwn(data, key);
  return has('input') && (has('tool_responses') || has('expected_failure')) && !has('agent');
}

function sessionIssue({ source }: SourceDocument): Issue {
  return {
    code: 'recorded_session',
    severity: 'error',
    message: 'This is a recorded session of Flakestorm, which passk does not replay.',
    at: locationAt(source, 0),
    hint: 'Ask its input again as one of the golden_prompts of a contract.',
  };
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
