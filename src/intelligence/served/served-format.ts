import type { JsonObject } from '../../types/json.ts';
import type { StreamEvent } from '../../values/event-stream.ts';
import type { FinishReason, MessagePart, TokenUsage } from '../../types/message.ts';

/** An answer that no provider has written. */
export interface PlainAnswer {
  readonly parts: readonly MessagePart[];
  /** Null: nobody says. */
  readonly finish: FinishReason | null;
  /** Null: nobody counted, which the formats have no word for: they say 0. */
  readonly usage: TokenUsage | null;
}

/** What only the server knows of an answer. */
export interface AnswerName {
  /** Unique in the session. */
  readonly id: string;
  /** The model as it was asked for. */
  readonly model: string;
}

/** What a request says besides its words. */
export interface AskedForm {
  /** The model, as it was asked for; null: none is named. */
  readonly model: string | null;
  /** Whether the answer is to come in events. */
  readonly stream: boolean;
}

/** How answers of a model are served in one format: what `providers/` has from the other side. Pure translation, no I/O. */
export interface ServedFormat {
  /** Where requests go, for people. */
  readonly place: string;
  /** What a request to this path asks for; null: it is of another format. */
  asked(path: string, body: JsonObject): AskedForm | null;
  body(answer: PlainAnswer, name: AnswerName): JsonObject;
  /** A whole answer as events; `asked`: the body of the request. */
  events(body: JsonObject, asked: JsonObject): readonly StreamEvent[];
  /** What ends the events besides; '': nothing. */
  readonly end: string;
  /** An error as its servers tell it. */
  refusal(message: string): JsonObject;
}
