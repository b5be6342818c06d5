/** JSON Schemas of the documents that passk reads and writes. */
export { canaryJsonSchema } from '../canary/canary-schema.ts';
export { rateCardJsonSchema } from '../release/rate-card-schema.ts';
export { type OutputDocument, outputSchema } from '../report/output-schema.ts';
export { reportSchema } from '../report/report-schema.ts';
export {
  agentsJsonSchema,
  configJsonSchema,
  conformJsonSchema,
  contractJsonSchema,
  modelJsonSchema,
  recordingJsonSchema,
  scenarioJsonSchema,
  sessionJsonSchema,
  workflowJsonSchema,
  worldJsonSchema,
} from '../suite/json-schemas.ts';
