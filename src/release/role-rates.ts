import { isTable } from '../source/json-schema.ts';
import type { JsonObject } from '../types/json.ts';
import type { ModelPin } from '../types/release/eval-body.ts';
import type { RateCard } from './rate-card.ts';

/** The model that played a role, which lines of a ledger are called by. */
export type Role = Pick<ModelPin, 'role' | 'model'>;

/** A card by which each role costs what its model does; a rate of the role's own name goes before. */
export function withRoleRates(card: RateCard, roles: readonly Role[]): RateCard {
  return { ...card, models: withRoles(card.models, roles) };
}

/** The same of a card as its file has it. */
export function withRoleTables(card: JsonObject, roles: readonly Role[]): JsonObject {
  if (!isTable(card.models)) return card;
  return { ...card, models: Object.fromEntries(withRoles(new Map(Object.entries(card.models)), roles)) };
}

function withRoles<Rate>(rates: ReadonlyMap<string, Rate>, roles: readonly Role[]): ReadonlyMap<string, Rate> {
  const all = new Map(rates);
  for (const { role, model } of roles) {
    const rate = rates.get(model);
    if (rate !== undefined && !all.has(role)) all.set(role, rate);
  }
  return all;
}
