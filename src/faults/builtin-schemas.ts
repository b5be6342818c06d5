import type { TSchema } from 'typebox';
import { backendDownSchema } from './backend-down.schema.ts';
import { delaySchema } from './delay.schema.ts';
import { emptySchema } from './empty.schema.ts';
import { malformedSchema } from './malformed.schema.ts';
import { rateLimitedSchema } from './rate-limited.schema.ts';
import { timeoutSchema } from './timeout.schema.ts';
import { truncatedSchema } from './truncated.schema.ts';

/** What each built-in fault accepts besides `type`, in snake_case; main thread only, because it pulls in TypeBox. */
export const builtinFaultSchemas: ReadonlyMap<string, TSchema | null> = new Map<string, TSchema | null>([
  ['backend_down', backendDownSchema],
  ['timeout', timeoutSchema],
  ['rate_limited', rateLimitedSchema],
  ['delay', delaySchema],
  ['truncated', truncatedSchema],
  ['empty', emptySchema],
  ['malformed', malformedSchema],
]);
