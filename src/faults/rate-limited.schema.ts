import { strictTable } from '../workflow/schema-parts.ts';
import { faultDelay } from './fault-delay.schema.ts';

/** The settings of `rate_limited` as they stand in TOML. */
export const rateLimitedSchema = strictTable(
  { retry_after_ms: faultDelay('Milliseconds the backend says to wait; default 1000.') },
  'The model backend answers 429.',
);
