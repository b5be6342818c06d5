import { strictTable } from '../workflow/schema-parts.ts';
import { faultDelay } from './fault-delay.schema.ts';

/** The settings of `delay` as they stand in TOML. */
export const delaySchema = strictTable(
  { delay_ms: faultDelay('Virtual milliseconds the answer takes; default 1000.') },
  'The answer comes late.',
);
