import { isTable } from '../../source/json-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { Json } from '../../types/json.ts';
import { textAt, valueAt } from '../../workflow/raw-data.ts';
import { toIssue } from '../../workflow/report.ts';
import { contractKeys } from './contract-schema.ts';

/**
 * What a contract file over a workflow says as a scenario: everything but the keys of contracts, with a name, and
 * `workflow = "FILE"` written out. Places stay those of the file.
 */
export function scenarioPart(document: SourceDocument): SourceDocument {
  const { workflow, expected: _, ...rest } = document.data;
  const scenarioEntries = Object.entries(rest).filter(([key]) => !Object.hasOwn(contractKeys, key));
  const { contract } = document.data;
  const name = (isTable(contract) ? textAt(contract, 'name') : undefined) ?? document.source.name;
  const subject: Json = typeof workflow === 'string' ? { path: workflow } : (workflow ?? null);
  return { ...document, data: { name, ...Object.fromEntries(scenarioEntries), workflow: subject } };
}

/** What a contract file cannot say although a scenario can. */
export function scenarioPartIssues({ data, locate }: SourceDocument): readonly Issue[] {
  if (valueAt(data, 'expected') === undefined) return [];
  const found = {
    code: 'not_allowed',
    message: 'A contract file has no "expected": its invariants say what must hold.',
    at: ['expected'],
    part: 'key',
    hint: 'Write it as [[contract.invariants]], or move it into a scenario of its own.',
  } as const;
  return [toIssue(found, locate)];
}
