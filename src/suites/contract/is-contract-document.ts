import type { SourceDocument } from '../../source/toml-document.ts';

/** True for a document that binds a subject to a contract, or to invariants of the whole run. */
export function isContractDocument({ data }: SourceDocument): boolean {
  const has = (key: string): boolean => Object.hasOwn(data, key);
  return has('contract') || (has('agent') && (has('golden_prompts') || has('invariants')));
}
