import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';

/** A document that was changed, or why what its generator says of it cannot be used. */
export type Related =
  | { readonly ok: true; readonly document: JsonObject }
  | { readonly ok: false; readonly problem: string };

export function related(document: Json): Related {
  return isJsonObject(document) ? { ok: true, document } : { ok: false, problem: 'The document is no table.' };
}
