import type { RecordedResponse, ToolFault } from '../../types/chaos.ts';

/** What strikes one call of a tool. Equal strikes are the same object, so that what follows from one can be kept. */
export interface ToolStrike {
  /** Milliseconds to wait before anything else. */
  readonly waitMs: number;
  /** What comes instead of the call; null: the call is made. */
  readonly fault: ToolFault | null;
  /** Of all that strikes; null: nothing does. */
  readonly label: string | null;
  /** What was recorded, which comes instead of the call; absent: nothing does. */
  readonly recorded?: RecordedResponse;
  /** Why the call is not made although nothing was recorded that could come instead; absent: it need not be told. */
  readonly miss?: string;
}
