import type { JsonObject } from '../../types/json.ts';

/** Tools of one session, for an agent outside of the process. */
export interface ServedTools {
  readonly list: readonly ListedTool[];
  /** Carries out a call. What went wrong with it is in the answer. */
  call(name: string, args: unknown): ToolAnswer;
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: JsonObject;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}
