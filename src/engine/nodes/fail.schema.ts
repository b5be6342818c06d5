import { Type } from '../../source/schema-type.ts';
import { strictTable, text } from '../../workflow/schema-parts.ts';

/** The keys of a `fail` node. */
export const failSchema = strictTable(
  { reason: Type.Optional(text('Why, literally; default `workflow failed`.')) },
  'Ends the run as failed.',
);
