import { anyKeys, camelKeys } from '../source/camel-keys.ts';
import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Turn, TurnFault, Variant } from '../types/scenario.ts';
import { numberAt, tableAt, tablesAs, textAt, valueAt } from '../workflow/raw-data.ts';
import type { RegistryView } from './registry-view.ts';

/** The turns of a checked scenario: each with at least one variant, faults at the variants. */
export function readTurns(data: JsonObject, registry: RegistryView): readonly Turn[] {
  return tablesAs(tableAt(data, 'intel'), 'turns', (table) => readTurn(table, registry));
}

function readTurn(turn: JsonObject, registry: RegistryView): Turn {
  const id = textAt(turn, 'id');
  const node = textAt(turn, 'node');
  const fault = readFault(valueAt(turn, 'fault'), registry);
  const variants = tablesAs(turn, 'variants', (table) => readVariant(table, fault, registry));
  const rest = {
    repeat: valueAt(turn, 'repeat') === true,
    variants: variants.length > 0 ? variants : [readVariant(turn, fault, registry)],
  };
  if (id === undefined && node === undefined) return rest;
  return { ...(id !== undefined && { id }), ...(node !== undefined && { node }), ...rest };
}

function readVariant(variant: JsonObject, turnFault: TurnFault | undefined, registry: RegistryView): Variant {
  const fault = readFault(valueAt(variant, 'fault'), registry) ?? turnFault;
  const content = textAt(variant, 'content') ?? '';
  const promptTokens = numberAt(variant, 'prompt_tokens') ?? 0;
  const completionTokens = numberAt(variant, 'completion_tokens') ?? 0;
  const weight = numberAt(variant, 'weight') ?? 1;
  const answer = { content, promptTokens, completionTokens, weight };
  return fault === undefined ? answer : { ...answer, fault };
}

function readFault(value: Json | undefined, registry: RegistryView): TurnFault | undefined {
  if (typeof value === 'string') return { type: value, config: {} };
  if (!isTable(value)) return undefined;
  const { type: named, ...rest } = value;
  const type = typeof named === 'string' ? named : '';
  const schema = registry.faultTypes.get(type);
  const config = camelKeys(rest, schema ?? anyKeys);
  return { type, config: isTable(config) ? config : {} };
}
