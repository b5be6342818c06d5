import { Type } from '../../source/schema-type.ts';
import { strictTable, text } from '../../workflow/schema-parts.ts';

/** The keys of a `pause_for_approval` node. */
export const pauseForApprovalSchema = strictTable(
  { reason: Type.Optional(text('What the human is asked to look at.')) },
  'Stops until a human decides; `[world.approvals]` plays the human.',
);
