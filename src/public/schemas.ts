/** JSON Schemas of the documents that passk reads and writes. */
export { type OutputDocument, outputSchema } from '../report/output-schema.ts';
export { reportSchema } from '../report/report-schema.ts';
export {
  contractJsonSchema,
  scenarioJsonSchema,
  sessionJsonSchema,
  workflowJsonSchema,
} from '../suite/json-schemas.ts';
