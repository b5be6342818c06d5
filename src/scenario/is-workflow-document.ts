import type { SourceDocument } from '../source/toml-document.ts';

/** True for a document that is a workflow, bare or wrapped, and so cannot be meant as a scenario. */
export function isWorkflowDocument({ data }: SourceDocument): boolean {
  if (Object.hasOwn(data, 'workflow')) return false;
  return ['workflows', 'nodes', 'start_nodes', 'edges'].some((key) => Array.isArray(data[key]));
}
