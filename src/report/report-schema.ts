import type { JsonObject } from '../types/json.ts';
import { readOutputSchema } from './output-schema.ts';

/**
 * The report's shape as a JSON Schema, made from its type by `npm run schemas`. The order of its properties is the order of
 * keys in the JSON report.
 */
export const reportSchema: JsonObject = readOutputSchema('report');
