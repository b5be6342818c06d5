import type { ModelMessage } from '../../plugin/request.ts';
import type { JsonObject } from '../../types/json.ts';
import type { ModelProvider } from '../../types/model-endpoint.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openai, openaiCompatible } from './openai.ts';

/** What is asked of a model, in no provider's words. */
export interface Question {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  /** Null: as many as the provider allows. */
  readonly maxTokens: number | null;
  /** Null: the provider's default. */
  readonly temperature: number | null;
  readonly stream: boolean;
}

export interface WireRequest {
  /** Appended to the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Tokens as the provider counted them. */
export interface ModelUsage {
  /** All input, cached or not. */
  readonly promptTokens: number;
  /** All output, reasoning included. */
  readonly completionTokens: number;
  /** Of the prompt: found in the provider's cache. */
  readonly cachedTokens: number;
  /** Of the prompt: written into the provider's cache. */
  readonly cacheWriteTokens: number;
  /** Of the completion: never shown. */
  readonly reasoningTokens: number;
}

/** What a provider's answer says; `error`: the model answered with a failure. */
export type WireReply =
  | { readonly kind: 'answer'; readonly content: string; readonly usage: ModelUsage | null }
  | { readonly kind: 'error'; readonly message: string; readonly usage: ModelUsage | null };

/** Puts together an answer that comes in events. */
export interface StreamReader {
  /** `data` is the event's JSON; null: it was not JSON. */
  take(data: unknown): void;
  /** The answer; an `error` when the stream ended before the answer did. */
  end(): WireReply;
}

/** One provider's protocol: pure translation, no I/O. */
export interface Provider {
  /** Null: there is no address of its own. */
  readonly baseUrl: string | null;
  /** Usual name of the variable that holds the key; null: none. */
  readonly apiKeyEnv: string | null;
  /** The header that carries the key. */
  keyHeader(key: string): readonly [name: string, value: string];
  write(question: Question): WireRequest;
  read(body: unknown): WireReply;
  openStream(): StreamReader;
}

export const PROVIDERS: Readonly<Record<ModelProvider, Provider>> = {
  openai,
  'openai-compatible': openaiCompatible,
  anthropic,
  gemini,
};
