import type { ToolCallPart } from '../types/message.ts';
import { writeJson } from '../values/exact-json.ts';

/** The arguments of a call as its formats have them: a text that should be JSON. */
export function argumentText({ args }: ToolCallPart): string {
  return typeof args === 'string' ? args : writeJson(args);
}
