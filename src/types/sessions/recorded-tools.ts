import type { Json, JsonObject } from '../json.ts';

/** The format of a file of recorded answers of tools. */
export const RECORDED_TOOLS = 'passk-recorded-tools/1';

/** What one call of a tool was answered when it was recorded. */
export interface RecordedAnswer {
  /** The name of the tool. */
  readonly tool: string;
  /** The arguments. */
  readonly args: JsonObject;
  /** Null with a problem. */
  readonly result: Json;
  /** What the agent was told went wrong; null: nothing. */
  readonly problem: string | null;
}
