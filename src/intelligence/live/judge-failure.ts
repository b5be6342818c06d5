import type { Exchange } from './exchange.ts';
import { errorTextAt, fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { retryAfterMs } from './retry-wait.ts';
import { jsonIn } from '../../values/json-in.ts';

/**
 * What an attempt that gave no answer means. `subject`: the model failed, as it would in production; `setup`: it was
 * never asked properly, which says nothing about the subject and will not pass by itself; `crowd`: the run asks more
 * than the provider serves or this machine can, which says nothing about the subject either.
 */
export interface JudgedFailure {
  readonly blame: 'subject' | 'setup' | 'crowd';
  readonly message: string;
  readonly retry: boolean;
  /** What the server asks for; null: it does not say. */
  readonly waitMs: number | null;
  /** True: the provider may have billed what nobody has counted. */
  readonly mayCost: boolean;
  /** The time limit came first. */
  readonly isLate?: true;
  /** The HTTP status; absent: there is none. */
  readonly status?: number;
}

/** Longest wait that a server may ask of a run. */
const MAX_ASKED_WAIT_MS = 10 * 60_000;

/** Decides by status, headers and the error's own code. `now` is the time as of 1970. */
export function judgeFailure(failure: Exclude<Exchange, { readonly kind: 'reply' }>, now: number): JudgedFailure {
  if (failure.kind === 'lost') return judgeLost(failure);
  const { status, headers } = failure;
  const body = jsonIn(failure.text) ?? null;
  const said = errorTextAt(body) ?? failure.text.slice(0, 200).trim();
  const message = said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`;
  const waitMs = retryAfterMs(headers, now);
  const retryHeader = headers['x-should-retry'];
  const exhausted = status === 429 && NO_MONEY.includes(textAt(body, 'error', 'code') ?? typeOf(body));
  const passes = status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
  const retry =
    !exhausted && (retryHeader === 'true' || (passes && retryHeader !== 'false')) && (waitMs ?? 0) <= MAX_ASKED_WAIT_MS;
  const base = { message, retry, waitMs, mayCost: false, status };
  const refusesSetup = SETUP.includes(status) || (status === 400 && isSetup(body, said));
  if (exhausted || refusesSetup || status < 400) return { ...base, blame: 'setup' };
  return { ...base, blame: status === 429 ? 'crowd' : 'subject' };
}

/** Of a wrong key, an unpaid bill, a missing right, a model or path that does not exist, a wrong method. */
const SETUP = [401, 402, 403, 404, 405];
const NO_MONEY = ['insufficient_quota', 'billing_hard_limit_reached', 'billing_error'];

/** What some servers answer with 400 although it is about the key, the bill or the model, and not about the request. */
const SETUP_CODES = ['invalid_api_key', 'model_not_found', 'no_db_connection'];
const SETUP_TYPES = [
  'authentication_error',
  'permission_error',
  'not_found_error',
  'billing_error',
  'no_db_connection',
];
const SETUP_STATUSES = ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'FAILED_PRECONDITION'];
/** Where no code tells: Anthropic's unpaid bill, and a model that LiteLLM does not know. */
const SETUP_TEXT = /credit balance is too low|Invalid model name passed in model=/i;

/** True: a 400 is no refusal of the request. Gemini says so of a wrong key in `details`, with the reason API_KEY_INVALID. */
function isSetup(body: unknown, said: string): boolean {
  // A stream that is refused is answered with a list.
  const error = fieldAt(body, 'error') ?? fieldAt(body, 0, 'error');
  return (
    listAt(error, 'details').some((detail) => textAt(detail, 'reason')?.startsWith('API_KEY_') === true) ||
    SETUP_CODES.includes(textAt(error, 'code') ?? '') ||
    SETUP_TYPES.includes(textAt(error, 'type') ?? '') ||
    SETUP_STATUSES.includes(textAt(error, 'status') ?? '') ||
    SETUP_TEXT.test(said)
  );
}

function typeOf(body: unknown): string {
  const type = fieldAt(body, 'error', 'type');
  return typeof type === 'string' ? type : '';
}

function judgeLost({ why, message }: Extract<Exchange, { readonly kind: 'lost' }>): JudgedFailure {
  const base = { message, waitMs: null };
  switch (why) {
    case 'exhausted':
      return { ...base, blame: 'crowd', retry: true, mayCost: false };
    case 'unreachable':
      return { ...base, blame: 'setup', retry: true, mayCost: false };
    case 'impossible':
      return { ...base, blame: 'setup', retry: false, mayCost: false };
    case 'late':
      return { ...base, blame: 'subject', retry: true, mayCost: true, isLate: true };
    case 'dropped':
      return { ...base, blame: 'subject', retry: true, mayCost: true };
    case 'cut':
    case 'unreadable':
      // Once the answer has begun it has been paid for; asking again would hide that from the trial.
      return { ...base, blame: 'subject', retry: false, mayCost: true };
  }
}
