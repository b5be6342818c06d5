import type { SourceDocument } from '../../source/toml-document.ts';

/** True for a document that binds a subject to a contract, or to invariants of the whole run. */
export function isContractDocument({ data }: SourceDocument): boolean {
  return isContract(data);
}

/** The same of data with the keys of such a document, or of an object that a program made. */
export function isContract(data: Readonly<Record<string, unknown>>): boolean {
  const has = (key: string): boolean => Object.hasOwn(data, key);
  return has('contract') || (has('agent') && ['golden_prompts', 'goldenPrompts', 'invariants'].some(has));
}
