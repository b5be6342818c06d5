import type { Json, JsonObject } from '../types/json.ts';
import type {
  FinishReason,
  Message,
  MessagePart,
  OutputFormat,
  TokenUsage,
  ToolChoice,
  ToolDeclaration,
} from '../types/message.ts';

/** A node type done by a function of this process. */
export interface LiveNodeOptions {
  readonly summary?: string;
  /** Keys of the node's table that hold context paths, in the order in which `run` gets their values. */
  readonly reads?: readonly string[];
  readonly labels?: readonly string[];
  /** JSON Schema of the node's own keys; absent: any keys. */
  readonly schema?: JsonObject;
  /** Returns the output, or `{ output, branch }`. What it throws makes the trial `broken`. */
  readonly run: (inputs: readonly Json[], config: JsonObject, call: LiveCallInfo) => Json | Promise<Json>;
}

/** What a function of this process is told about one call. */
export interface LiveCallInfo {
  /** Aborted when nobody waits for the answer any more: the trial's time is up, or the run has ended. */
  readonly signal: AbortSignal;
}

/** A model as a function. Returning `{ error }` is the model's failure; throwing is the harness's. */
export type LiveModel = (request: LiveModelRequest, call: LiveCallInfo) => LiveModelAnswer | Promise<LiveModelAnswer>;

export interface LiveModelRequest {
  readonly backend: string;
  /** `content`: all text of the parts. */
  readonly messages: readonly (Message & { readonly content: string })[];
  readonly maxTokens: number | null;
  /** Tools that the model may call; absent: none. */
  readonly tools?: readonly ToolDeclaration[];
  readonly toolChoice?: ToolChoice;
  /** What the answer must be; absent: any text. */
  readonly output?: OutputFormat;
}

export type LiveModelAnswer =
  | { readonly content: string; readonly promptTokens?: number; readonly completionTokens?: number }
  | {
      readonly parts: readonly MessagePart[];
      readonly finish?: FinishReason | null;
      /** Absent or null: unknown; the trial then counts no tokens. */
      readonly usage?: TokenUsage | null;
    }
  | { readonly error: string };
