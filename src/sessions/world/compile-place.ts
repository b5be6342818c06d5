import type { JsonObject, Json } from '../../types/json.ts';
import type { WorldPlace } from '../../types/sessions/declared-world.ts';
import { compileFill } from './fill.ts';
import { type Place, placeText, WorldError } from './state-place.ts';

/** Compiles a place. Each key is filled by itself, so that no argument can name a place beyond the one that the tool means. */
export function compilePlace(at: WorldPlace): (names: JsonObject) => Place {
  const keys = at.map((key) => compileFill(key));
  return (names) => keys.map((key) => keyOf(key(names), at));
}

function keyOf(key: Json, at: WorldPlace): string {
  if (typeof key === 'string' || typeof key === 'number') return String(key);
  const place = placeText(at.map(String));
  throw new WorldError(`A key of the place ${place} is ${JSON.stringify(key)}, and must be a text or a number.`);
}
