import type { JsonObject } from '../../types/json.ts';

/** True: the file has its agent, and its only task, at its top. */
export function hasOneAgent(data: JsonObject): boolean {
  return Object.hasOwn(data, 'agent') && !Object.hasOwn(data, 'workflow') && !Object.hasOwn(data, 'tasks');
}
