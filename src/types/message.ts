import type { Json, JsonObject } from './json.ts';
import type { Count } from './numbers.ts';

/** Who speaks. `tool`: results of the calls that the assistant made. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** What one speaker says at once. */
export interface Message {
  /** Who speaks. */
  readonly role: Role;
  /** In the order said; [] when nothing was said. */
  readonly parts: readonly MessagePart[];
}

/** A part of a message, told apart by `kind`. */
export type MessagePart = TextPart | ReasoningPart | MediaPart | ToolCallPart | ToolResultPart;

/** Text. */
export interface TextPart {
  readonly kind: 'text';
  /** What is said. */
  readonly text: string;
}

/** What a model thought before it answered. */
export interface ReasoningPart {
  readonly kind: 'reasoning';
  /** '' where the provider shows none of it. */
  readonly text: string;
  /** The provider's proof of it, without which some models refuse to go on. */
  readonly signature?: string;
}

/** An image, a sound or a document. */
export interface MediaPart {
  readonly kind: 'media';
  /** Such as `image/png`; null: not said. */
  readonly contentType: string | null;
  /** An address, or a `data:` URI. */
  readonly url: string;
}

/** The assistant wants a tool to be called. */
export interface ToolCallPart {
  readonly kind: 'tool_call';
  /** Ties the result to the call; unique within a conversation. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** The raw text where it is not JSON, as `problem` then says. */
  readonly args: Json;
  /** What is wrong with the arguments as the model wrote them. */
  readonly problem?: string;
  /** The provider's proof, as for reasoning. */
  readonly signature?: string;
}

/** What a tool gave for a call. */
export interface ToolResultPart {
  readonly kind: 'tool_result';
  /** The call that it answers. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** What the tool gave. */
  readonly result: Json;
  readonly isError?: true;
}

/** Why an answer ended. `filtered`: withheld by the provider. `other`: for a reason of the provider's own. */
export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'filtered', 'other'] as const;
/** Why a model stopped. */
export type FinishReason = (typeof FINISH_REASONS)[number];

/** Tokens of one answer as its provider counted them. */
export interface TokenUsage {
  /** All input, cached or not. */
  readonly promptTokens: Count;
  /** All output, reasoning included. */
  readonly completionTokens: Count;
  /** Of the prompt: found in the provider's cache. */
  readonly cachedTokens: Count;
  /** Of the prompt: written into the provider's cache. */
  readonly cacheWriteTokens: Count;
  /** Of the completion: never shown. */
  readonly reasoningTokens: Count;
}

/** A tool as a model is told of it. */
export interface ToolDeclaration {
  /** The tool's name. */
  readonly name: string;
  /** What the tool does. */
  readonly description?: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: JsonObject;
}

/** Whether the model may, must or must not call a tool, or which one it must call. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | {
      /** The tool that must be called. */
      readonly name: string;
    };

/** What the answer must be, beyond text. `schema` null: any JSON. */
export interface OutputFormat {
  readonly kind: 'json';
  /** The JSON Schema that the answer must fit; null: any JSON. */
  readonly schema: JsonObject | null;
}
