/** Suites of models: what they ask, and what is wrong with them. */
export { type LintedModels, lintModels, type LintModelsOptions, modelSpecs } from '../suite/model-specs.ts';
export { CELL_STATES as MODEL_CELL_STATES } from '../types/model-suite.ts';
export type {
  ModelAccess,
  ModelCell,
  ModelCellState,
  ModelColumn,
  ModelPart,
  ModelReport,
  ModelRetries,
  ModelSubject,
  ModelSuite,
  Samples,
  SpecModel,
  SpecTest,
  StartedEntry,
} from '../types/model-suite.ts';
export { CAPABILITIES, COMPATS } from '../types/model-test.ts';
export type { Capability, Compat, ModelFacts, ModelTest, RetriedAttempt, ValidatorUse } from '../types/model-test.ts';
export type { ModelEndpoint, ModelPrice, ModelProvider } from '../types/model-endpoint.ts';
