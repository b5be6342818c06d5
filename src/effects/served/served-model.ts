import type { JsonObject } from '../../types/json.ts';

/** The model of one session, for an agent outside of the process. */
export interface ServedModel {
  /** Answers one request of a client of some provider. What went wrong is in the answer. */
  answer(asked: AskedOfModel): Promise<ModelResponse>;
}

export interface AskedOfModel {
  /** Behind the session's address, such as `/v1/chat/completions`. */
  readonly path: string;
  readonly body: JsonObject;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** A response of HTTP. */
export interface ModelResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}
