import type { JsonObject } from '../../types/json.ts';

// Parameters that fit the schema of their generator.

export function numberAt(params: JsonObject, name: string, absent: number): number {
  const value = params[name];
  return typeof value === 'number' ? value : absent;
}

export function textsAt(params: JsonObject, name: string): readonly string[] | undefined {
  const value = params[name];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined;
}
