import { unloadedDocument } from '../unloaded-document.ts';
import { resolve } from 'node:path';
import { codeApart } from '../../scenario/objects/code-apart.ts';
import { memoryDocument } from '../../scenario/objects/memory-document.ts';
import { plainData } from '../../scenario/objects/plain-data.ts';
import { issuesOfObject, type ObjectOptions } from '../../scenario/objects/scenario-from-object.ts';
import { snakeKeys } from '../../scenario/objects/snake-keys.ts';
import { takeContractCode } from '../../scenario/objects/take-code.ts';
import { scenarioKeys, scenarioSchemas, workflowIn } from '../../scenario/objects/workflow-in.ts';
import type { RegistryView } from '../../scenario/registry-view.ts';
import { isTable } from '../../source/json-schema.ts';
import type { Contract } from '../../types/contract.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { MEMORY } from '../../values/name-from-root.ts';
import { tableAt, textAt } from '../../workflow/raw-data.ts';
import type { LoadedDocument } from '../suite-kind.ts';
import { contractFileSchema } from './contract-schema.ts';
import { loadContractDocument } from './load-contract.ts';

/** Loads a contract that a program made, with the same checks as a file. Throws nothing. */
export async function contractFromObject(
  definition: unknown,
  view: RegistryView,
  { cwd, root = cwd, folder = cwd, file = MEMORY, ...options }: ObjectOptions,
): Promise<LoadedDocument<Contract>> {
  const { data: bare, codeAt } = takeContractCode(definition);
  const issues: Issue[] = [];
  const plain = plainData(bare, issues);
  const ofContract = snakeKeys(isTable(plain) ? plain : {}, contractFileSchema) as JsonObject;
  const data = Object.hasOwn(ofContract, 'workflow') ? scenarioKeys(ofContract, view) : ofContract;
  const { shown, workflow, issues: ofWorkflow, withoutPlaces } = workflowIn(data, view, file);
  const written = { plain, schemas: [contractFileSchema, ...scenarioSchemas(view)] };
  const outer = memoryDocument(shown, file, { codeAt, written });
  const places = { root: resolve(root), cwd: resolve(cwd), folder: resolve(folder) };
  const loaded = await loadContractDocument(outer.document, view, {
    ...options,
    ...places,
    ...(workflow && { workflow }),
  });
  const apart = loaded.rows.map((row) => (row.ok ? codeApart(row.scenario) : []));
  const found = [...issues, ...ofWorkflow, ...loaded.issues, ...(apart.find((list) => list.length > 0) ?? [])];
  const name = textAt(tableAt(data, 'contract'), 'name');
  const all = issuesOfObject(outer.withoutPlaces(withoutPlaces(found)), name, file, 'Contract');
  if (found.length === loaded.issues.length) {
    const rows = loaded.rows.map((row, at) => ({ ...row, issues: at === 0 ? all : [] }));
    return { ...loaded, rows, issues: all };
  }
  return unloadedDocument(file, { name: name ?? file, trials: 1, issues: all });
}
