import { isModelFile, isSpec } from './document-form.ts';
import type { SuiteKind } from '../suite-kind.ts';

/** Tests of models: what each must be able to do, whoever serves it. */
export const modelKind: SuiteKind = {
  kind: 'suite',
  type: 'model',
  plural: 'models',
  file: 'a spec of models',
  summary: 'Tests that a model must pass behind its SDK, judged test by test.',
  // Other programs have a table [model] too; what is in it tells.
  rootKeys: new Set(),
  detects: (document) => isSpec(document) || isModelFile(document),
  open: async () => (await import('./model-verbs.ts')).modelVerbs,
};
