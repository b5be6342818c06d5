import type { SuiteKind } from '../suite-kind.ts';
import { isContractPart } from './contract-parts.ts';
import { isContract, isContractDocument } from './is-contract-document.ts';

/** Contracts: rules that must hold while the world breaks, judged cell by cell. */
export const contractKind: SuiteKind = {
  kind: 'suite',
  type: 'contract',
  plural: 'contracts',
  file: 'a contract',
  summary: 'Rules that must hold while the world breaks, judged under each column of chaos.',
  rootKeys: new Set(['contract', 'agent', 'invariants', 'golden_prompts']),
  detects: (document) => isContractDocument(document) || isContractPart(document),
  isPart: isContractPart,
  detectsObject: isContract,
  open: async () => (await import('./contract-verbs.ts')).contractVerbs,
};
