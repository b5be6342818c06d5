import { Type } from '../source/schema-type.ts';

const HOUR_MS = 3_600_000;

/** A setting in virtual milliseconds, at most an hour; main thread only. */
export function faultDelay(description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: HOUR_MS, description }));
}
