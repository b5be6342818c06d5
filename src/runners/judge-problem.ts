import { retryAfterMs, type Headers } from '../intelligence/live/retry-wait.ts';

/** What whoever refused says of it. */
export interface Refusal {
  readonly message: string;
  /** Of the error itself: a number or name of gRPC, an HTTP status, a system's code; null: none. */
  readonly code: string | number | null;
  /** Of the response that carried it; null: it was no HTTP response, or one that says nothing. */
  readonly status?: number | null;
  readonly headers?: Headers;
  /** What stands beside the message, where it is JSON. */
  readonly details?: unknown;
}

export interface JudgedProblem {
  /** As the source names it; null: it does not. */
  readonly code: string | null;
  /** True: it may pass by itself. */
  readonly transient: boolean;
  readonly retryAfterMs: number | null;
}

/**
 * Whether a refusal may pass by itself: too many requests, a server that is overloaded or late, a connection that broke. A
 * number below 17 is gRPC's, one from 100 HTTP's. Where the code says no more than "it failed", as Genkit's does of whatever a
 * plug-in throws, the message is searched for the code that it was made of. `now` is the time as of 1970, for dates.
 */
export function judgeProblem(refusal: Refusal, now: number): JudgedProblem {
  const { message, code, status = null, headers = {} } = refusal;
  const written = code === null || code === '' ? null : String(code);
  const named = verdictOf(written) ?? verdictOf(status === null ? null : String(status));
  const transient = named ?? verdictOf(codeIn(message)) ?? NETWORK_TEXT.test(message);
  const waitMs = retryAfterMs(headers, now) ?? waitIn(refusal);
  const shown = written ?? (status === null ? codeIn(message) : String(status));
  return { code: shown, transient, retryAfterMs: waitMs };
}

/** gRPC's codes by number (google.rpc.Code). */
const GRPC = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];
const TRANSIENT = ['DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED', 'UNAVAILABLE'];
/** They say that something failed, and nothing of what. */
const VAGUE = ['OK', 'UNKNOWN', 'INTERNAL'];
const NETWORK_CODE =
  /^(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_\w+)$/;
const NETWORK_TEXT =
  /\b(?:ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EAI_AGAIN|fetch failed|socket hang up|terminated: other side closed|connection reset by peer|network error|premature close)\b/i;

/** Whether a code passes; null: it does not say. */
function verdictOf(code: string | null): boolean | null {
  if (code === null) return null;
  const number = /^\d+$/.test(code) ? Number(code) : null;
  if (number !== null && number >= 100) return ofStatus(number);
  const name = number === null ? code.toUpperCase() : GRPC[number];
  if (name === undefined || VAGUE.includes(name)) return null;
  if (GRPC.includes(name)) return TRANSIENT.includes(name);
  return NETWORK_CODE.test(code) ? true : null;
}

function ofStatus(status: number): boolean | null {
  if (status < 400) return null;
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** The code that a message begins with or names as such: `RESOURCE_EXHAUSTED: …`, `[503 Service Unavailable]`, `HTTP 429`. */
function codeIn(message: string): string | null {
  const name = /^(?:\w*Error: )?([A-Z]+(?:_[A-Z]+)*): /.exec(message)?.[1];
  if (name !== undefined && GRPC.includes(name) && !VAGUE.includes(name)) return name;
  const status = /\[([45]\d\d)\b|\b(?:HTTP|status(?: code)?)[ :=]{1,3}([45]\d\d)\b|^([45]\d\d)\b/i.exec(message);
  return status?.[1] ?? status?.[2] ?? status?.[3] ?? null;
}

/** How long to wait, as Google's RetryInfo or the sentence of a provider says. */
function waitIn({ message, details }: Refusal): number | null {
  const text = details === undefined ? message : `${message} ${JSON.stringify(details) ?? ''}`;
  const delay = /"?retryDelay\\?"?\s*[:=]\s*\\?"?(\d{1,6}(?:\.\d{1,9})?)s\b/.exec(text)?.[1];
  if (delay !== undefined) return Number(delay) * 1000;
  const sentence = /\b(?:retry|try again) (?:in|after) (\d{1,6}(?:\.\d{1,9})?) ?(ms|m|s|seconds?|minutes?)\b/i.exec(
    text,
  );
  if (sentence === null) return null;
  const [, count = '0', unit = 's'] = sentence;
  const scale = unit === 'ms' ? 1 : unit.startsWith('m') ? 60_000 : 1000;
  return Number(count) * scale;
}
