import type { Json, JsonObject } from '../types/json.ts';
import { isRecord } from '../values/is-json.ts';
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
  /** One line on what the node does. */
  readonly summary?: string;
  /** Keys of the node's table that hold context paths, in the order in which `run` gets their values. */
  readonly reads?: readonly string[];
  /** Branch labels that the function may give. */
  readonly labels?: readonly string[];
  /** JSON Schema of the node's own keys; absent: any keys. */
  readonly schema?: JsonObject;
  /** Returns the output, or `{ output, branch }`. What it throws makes the trial `broken`. */
  readonly run: (inputs: readonly Json[], config: JsonObject, call: LiveCallInfo) => Json | Promise<Json>;
}

/** What is wrong with node types that a program without types gives; completes "`nodes` …". */
export function nodesProblem(nodes: unknown): string | null {
  if (nodes === null) return null;
  if (!isRecord(nodes)) return 'must be an object of node types by name, each with a function `run`';
  const wrong = Object.entries(nodes).find(([, node]) => !isNode(node));
  if (wrong === undefined) return null;
  return `holds ${JSON.stringify(wrong[0])}, which needs a function \`run\`; \`reads\` and \`labels\` are lists of texts`;
}

function isNode(node: unknown): boolean {
  if (!isRecord(node) || typeof node.run !== 'function') return false;
  return [node.reads ?? [], node.labels ?? []].every(
    (list) => Array.isArray(list) && list.every((word) => typeof word === 'string'),
  );
}

/** What a function of this process is told about one call. */
export interface LiveCallInfo {
  /** Aborted when nobody waits for the answer any more: the trial's time is up, or the run has ended. */
  readonly signal: AbortSignal;
}

/** A model as a function. Returning `{ error }` is the model's failure; throwing is the harness's. */
export type LiveModel = (request: LiveModelRequest, call: LiveCallInfo) => LiveModelAnswer | Promise<LiveModelAnswer>;

/** What a function that answers for a model is asked. */
export interface LiveModelRequest {
  /** The backend that the workflow names. */
  readonly backend: string;
  /** `content`: all text of the parts. */
  readonly messages: readonly (Message & {
    /** All text of the message's parts. */
    readonly content: string;
  })[];
  /** Cap for the answer; null: none. */
  readonly maxTokens: number | null;
  /** Tools that the model may call; absent: none. */
  readonly tools?: readonly ToolDeclaration[];
  /** Which tool the model must use; absent: it may choose. */
  readonly toolChoice?: ToolChoice;
  /** What the answer must be; absent: any text. */
  readonly output?: OutputFormat;
}

/** What a function that answers for a model gives: text, parts, or an error. */
export type LiveModelAnswer =
  | {
      /** The answer's text, in place of `parts`. */
      readonly content: string;
      /** Tokens of the question. */
      readonly promptTokens?: number;
      /** Tokens of the answer. */
      readonly completionTokens?: number;
    }
  | {
      /** The answer in parts, in place of `content`. */
      readonly parts: readonly MessagePart[];
      /** Why the model stopped; absent or null: unknown. */
      readonly finish?: FinishReason | null;
      /** Absent or null: unknown; the trial then counts no tokens. */
      readonly usage?: TokenUsage | null;
    }
  | {
      /** What went wrong: the model's failure, and part of the test. */
      readonly error: string;
    };
