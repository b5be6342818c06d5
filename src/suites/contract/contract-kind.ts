import type { SuiteKind } from '../suite-kind.ts';
import { isContract, isContractDocument, isContractPart } from './contract-documents.ts';

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
