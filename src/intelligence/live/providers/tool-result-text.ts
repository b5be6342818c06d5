import { writeJson } from '../../../values/exact-json.ts';
import type { ToolResultPart } from '../../../types/message.ts';

/** A tool's result as text: a text as it is, anything else as JSON. */
export function toolResultText({ result }: ToolResultPart): string {
  return typeof result === 'string' ? result : writeJson(result);
}
