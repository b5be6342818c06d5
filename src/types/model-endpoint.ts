import type { JsonObject } from './json.ts';

/**
 * Protocols of model providers. `openai` is its chat completions, `openai-responses` its responses; `openai-compatible`
 * is any server that speaks OpenAI's chat completions.
 */
export const MODEL_PROVIDERS = ['openai', 'openai-responses', 'openai-compatible', 'anthropic', 'gemini'] as const;

/**
 * Protocols of models that score how far a context supports a claim, and say no word: OpenAI's embeddings, rerankers as Cohere
 * and Jina serve them, and rerankers and models of entailment as Text Embeddings Inference does.
 */
export const SCORER_PROVIDERS = ['embeddings', 'rerank', 'rerank-tei', 'predict-tei'] as const;

/** All that an endpoint may be. */
export const ENDPOINT_PROVIDERS = [...MODEL_PROVIDERS, ...SCORER_PROVIDERS] as const;

/** The protocol that a provider of models speaks. */
export type ModelProvider = (typeof ENDPOINT_PROVIDERS)[number];

/** True: it scores pairs of claims and contexts. */
export function isScorer({ provider }: Pick<ModelEndpoint, 'provider'>): boolean {
  return (SCORER_PROVIDERS as readonly string[]).includes(provider);
}

/**
 * How a client words what it asks of a model: OpenAI's chat completions, its responses, Anthropic's messages, Gemini's
 * generateContent.
 */
export const MODEL_FORMATS = ['chat', 'responses', 'messages', 'contents'] as const;

export type ModelFormat = (typeof MODEL_FORMATS)[number];

/** A request that an agent wrote, to be sent as it is. */
export interface WrittenRequest {
  /** The API that the request is written for. */
  readonly format: ModelFormat;
  /** The body of the request. */
  readonly body: JsonObject;
}

/** Prices in USD per million tokens. */
export interface ModelPrice {
  /** Dollars for a million tokens of questions. */
  readonly input: number;
  /** Dollars for a million tokens of answers. */
  readonly output: number;
  /** Input tokens that the provider finds in its cache; absent: as `input`. */
  readonly cached?: number;
  /** Input tokens that the provider writes into its cache; absent: as `input`. */
  readonly cacheWrite?: number;
}

/** An endpoint with where it comes from. */
export interface PlannedEndpoint {
  readonly endpoint: ModelEndpoint;
  /** False: a file named it, so it is held to what the user granted. */
  readonly isTrusted: boolean;
}

/** A model behind an address, as the user's own configuration or a workflow's `[intelligence.backends]` names it. */
export interface ModelEndpoint {
  /** The provider's protocol. */
  readonly provider: ModelProvider;
  /** The provider's name of the model. */
  readonly model: string;
  /** Absent: the provider's own address; required for `openai-compatible`. */
  readonly baseUrl?: string;
  /** Name of the environment variable with the key; absent: the provider's usual one, at its own address only. */
  readonly apiKeyEnv?: string;
  /** Absent: the provider's default. */
  readonly temperature?: number;
  /** Share of the likeliest tokens that are drawn from (nucleus sampling), above 0 to 1; absent: the provider's default. */
  readonly topP?: number;
  /** What the provider draws with, in every trial; `trial`: another number for each call, from the run's seed. Absent: none. */
  readonly seed?: number | 'trial';
  /** Texts at which an answer ends; absent: none. */
  readonly stop?: readonly string[];
  /** How much the model thinks, in its provider's words, such as `low`; absent: the provider's default. */
  readonly reasoningEffort?: string;
  /** Sent with each request besides those of the protocol; no place for keys. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Put into the body of each request, in place of what passk writes there. */
  readonly body?: JsonObject;
  /** Cap of an answer's tokens; a request's own lower cap holds. */
  readonly maxTokens?: number;
  /** Take answers as they are written; default false. */
  readonly stream?: boolean;
  /** What its tokens cost; absent: unknown. */
  readonly price?: ModelPrice;
  /** Requests in flight; default 64. */
  readonly maxConcurrent?: number;
  /** Requests begun in any 60 s; absent: no limit. */
  readonly requestsPerMinute?: number;
  /** Tokens of requests begun in any 60 s; absent: no limit. */
  readonly tokensPerMinute?: number;
  /** From request to last byte, of each attempt; default 60,000. */
  readonly timeoutMs?: number;
  /** From request to first byte; default as `timeoutMs`. */
  readonly firstByteTimeoutMs?: number;
  /** Attempts after the first, for what may pass; default 5. */
  readonly maxRetries?: number;
}
