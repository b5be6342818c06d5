import { strictTable } from '../workflow/schema-parts.ts';
import { faultDelay } from './fault-delay.schema.ts';

/** The settings of `timeout` as they stand in TOML. */
export const timeoutSchema = strictTable(
  { delay_ms: faultDelay('Virtual milliseconds until the request is given up; default 30000.') },
  'No answer comes until the request is given up.',
);
