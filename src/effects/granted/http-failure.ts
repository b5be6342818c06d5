import { visibleText } from '../../policy/visible-text.ts';
import type { HttpError } from '../../types/mock.ts';
import { httpErrorText } from '../outside-errors.ts';

/** Why no whole response came, in words that are the same on every machine: no address, no local port, no stack. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  /** True: passk may not reach it, which says nothing about the subject. */
  readonly ungranted: boolean;
  /** True: not a byte of a response came, so that another try may get through. */
  readonly unanswered: boolean;

  constructor(message: string, ungranted = false, unanswered = false) {
    super(message);
    this.ungranted = ungranted;
    this.unanswered = unanswered;
  }
}

/** Turns whatever a client threw on the way to an origin into such words, where mocks know them into theirs. */
export function httpFailure(error: unknown, origin: string, hasHeaders: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const code = codeOf(error);
  const known = KNOWN.find(([codes]) => codes.test(code))?.[1];
  const unanswered = !hasHeaders && PASSING.test(code);
  if (known === 'closed') {
    return new HttpFailure(httpErrorText(hasHeaders ? 'truncated' : 'reset', origin), false, unanswered);
  }
  if (known !== undefined) return new HttpFailure(httpErrorText(known, origin), false, unanswered);
  const rare = RARE.find(([codes]) => codes.test(code))?.[1] ?? `it failed${code === '' ? '' : ` (${code})`}`;
  return new HttpFailure(`request to ${visibleText(origin)}: ${rare}`, false, unanswered);
}

/** Nobody listens, or the way there is broken, at the moment. */
const PASSING =
  /^(?:ENOTFOUND|EAI_\w+|ECONN(?:REFUSED|RESET)|EPIPE|ETIMEDOUT|UND_ERR_(?:CONNECT_TIMEOUT|SOCKET)|E(?:HOST|NET)(?:UNREACH|DOWN))$/;

const KNOWN: readonly (readonly [codes: RegExp, error: HttpError | 'closed'])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'dns'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'timeout'],
  [/^(?:ECONNRESET|EPIPE)$/, 'reset'],
  [/^UND_ERR_SOCKET$/, 'closed'],
  [/^(?:HPE_(?!HEADER_OVERFLOW)|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/, 'malformed'],
  [/CERT|SIGNATURE|ALTNAME|^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/, 'tls'],
];

const RARE: readonly (readonly [codes: RegExp, text: string])[] = [
  [/^E(?:HOST|NET)(?:UNREACH|DOWN)$|^EADDRNOTAVAIL$/, 'the network does not lead there'],
  [/^(?:HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW)$/, 'the response headers exceed their limit'],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'the response body exceeds its limit'],
  [/^(?:Z_|ERR__ERROR|ERR_BROTLI|ERR_PADDING)/, 'the response body is not what its content-encoding says'],
];

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // undici's parser names its errors, but not always their codes.
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  if (!('code' in error)) return '';
  const { code } = error;
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : '';
}
