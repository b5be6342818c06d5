import type { Json } from '../types/json.ts';

/** What a step remembers between its requests, as the plain data it is. Interfaces do not show that they are JSON. */
export function toState<S extends object>(state: S): Json {
  return state as unknown as Json;
}

/** The state that the same step gave to `toState`. */
export function fromState<S extends object>(state: Json): S {
  return state as unknown as S;
}
