import type { JsonObject } from '../../../types/json.ts';
import type {
  FinishReason,
  Message,
  MessagePart,
  OutputFormat,
  TokenUsage,
  ToolChoice,
  ToolDeclaration,
} from '../../../types/message.ts';
import type { ModelFormat } from '../../../types/model-endpoint.ts';

/** What is asked of a model, in no provider's words. */
export interface Question {
  readonly model: string;
  readonly messages: readonly Message[];
  /** Null: as many as the provider allows. */
  readonly maxTokens: number | null;
  /** Null: the provider's default. */
  readonly temperature: number | null;
  /** Null: the provider's default. */
  readonly topP: number | null;
  /** Null: none is sent. */
  readonly seed: number | null;
  /** Texts at which the answer ends; []: none. */
  readonly stop: readonly string[];
  /** Null: the provider's default. */
  readonly reasoningEffort: string | null;
  readonly stream: boolean;
  /** Tools that the model may call; []: none. */
  readonly tools: readonly ToolDeclaration[];
  /** Without meaning where there are no tools. */
  readonly toolChoice: ToolChoice;
  /** Null: any text. */
  readonly output: OutputFormat | null;
}

export interface WireRequest {
  /** Appended to the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** What a model answered. */
export interface WireAnswer {
  readonly kind: 'answer';
  readonly parts: readonly MessagePart[];
  /** Null: the provider did not say. */
  readonly finish: FinishReason | null;
  /** Null: the provider did not say. */
  readonly usage: TokenUsage | null;
  /** As the provider wrote it, where that was asked for. */
  readonly body?: JsonObject;
}

/** What a provider's answer says; `error`: the model answered with a failure. */
export type WireReply =
  | WireAnswer
  | { readonly kind: 'error'; readonly message: string; readonly usage: TokenUsage | null };

/** Puts together an answer that comes in events. */
export interface StreamReader {
  /**
   * Text and reasoning that the event brings; tool calls are whole with the end of the answer. `data` is the event's JSON;
   * null: it was not JSON.
   */
  take(data: unknown): readonly MessagePart[];
  /** The answer; an `error` when the stream ended before the answer did. */
  end(): WireReply;
}

/** How a provider takes requests that others wrote in its format. */
export interface WrittenForm {
  readonly format: ModelFormat;
  /** The cap of an answer's tokens, null where none is written, and how many answers are asked for. */
  askedIn(body: JsonObject): { readonly cap: number | null; readonly answers: number };
  /** The request for this model, as a whole answer, with this cap where there is one. */
  write(body: JsonObject, to: { readonly model: string; readonly cap: number | null }): WireRequest;
}

/** One provider's protocol: pure translation, no I/O. */
export interface Provider {
  /** Null: there is no address of its own. */
  readonly baseUrl: string | null;
  /** Usual name of the variable that holds the key; null: none. */
  readonly apiKeyEnv: string | null;
  /** The header that carries the key. */
  keyHeader(key: string): readonly [name: string, value: string];
  /** Settings of an endpoint that its protocol has no word for. */
  readonly lacks: readonly ('seed' | 'stop' | 'reasoningEffort' | 'temperature' | 'topP' | 'maxTokens' | 'stream')[];
  /** How it takes requests that others wrote; null: it has a format of its own. */
  readonly written: WrittenForm | null;
  write(question: Question): WireRequest;
  read(body: unknown): WireReply;
  /** Reads the scores of what was asked about, of a model that scores pairs and says no word; absent: it answers in words. */
  readonly readScores?: (body: unknown, question: Question) => WireReply;
  openStream(): StreamReader;
}
