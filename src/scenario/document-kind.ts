import type { SourceDocument } from '../source/toml-document.ts';
import { SCENARIO_KEYS } from './scenario-schema.ts';

/** True for a document that is a workflow, bare or wrapped, and so cannot be meant as a scenario. */
export function isWorkflowDocument({ data }: SourceDocument): boolean {
  if (Object.hasOwn(data, 'workflow')) return false;
  return ['workflows', 'nodes', 'start_nodes', 'edges'].some((key) => Array.isArray(data[key]));
}

/** True for a document that can only be meant as a workflow where one is named: it is one, or has nothing but its name. */
export function mayBeWorkflow(document: SourceDocument): boolean {
  const hasOnlyName = Object.keys(document.data).every((key) => key === 'name' || key === 'description');
  return hasOnlyName || isWorkflowDocument(document);
}

/** True for a document of another program, such as `Cargo.toml`: it has keys, and none of a scenario or of these kinds. */
export function isForeignDocument(
  { data }: SourceDocument,
  kinds: readonly { readonly rootKeys: ReadonlySet<string> }[],
): boolean {
  const keys = Object.keys(data);
  return (
    keys.length > 0 && !keys.some((key) => SCENARIO_KEYS.has(key) || kinds.some(({ rootKeys }) => rootKeys.has(key)))
  );
}
