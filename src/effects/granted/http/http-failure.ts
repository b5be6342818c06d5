import { visibleText } from '../../../text/visible-text.ts';
import type { HttpError } from '../../../types/mock.ts';
import { exhaustion } from '../../../values/file-problem.ts';
import { httpErrorText } from '../../outside-errors.ts';

/** Why no whole response came, in words that are the same on every machine: no address, no local port, no stack. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  /** True: passk may not reach it, which says nothing about the subject. */
  readonly ungranted: boolean;
  /** True: not a byte of a response came, so that another try may get through. */
  readonly unanswered: boolean;
  /** True: there is nobody to answer at all. */
  readonly unreached: boolean;
  /** True: this machine could not ask, which says nothing about the subject. */
  readonly exhausted: boolean;

  constructor(message: string, facts: FailureFacts = {}) {
    super(message);
    const { ungranted = false, unanswered = false, unreached = false, exhausted = false } = facts;
    this.ungranted = ungranted;
    this.exhausted = exhausted;
    this.unanswered = unanswered;
    this.unreached = unreached;
  }
}

type FailureFacts = Partial<Pick<HttpFailure, 'ungranted' | 'unanswered' | 'unreached' | 'exhausted'>>;

/** The body has more bytes than a response may have. */
export function bodyTooLong(origin: string, maxBytes: number): HttpFailure {
  const [mebibytes, rest] = [Math.floor(maxBytes / MIB), maxBytes % MIB];
  const limit = rest === 0 ? `${mebibytes} MiB` : `${maxBytes} bytes`;
  return new HttpFailure(`request to ${visibleText(origin)}: the response body exceeds its limit of ${limit}`);
}

const MIB = 1 << 20;
const MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/** Turns whatever a client threw on the way to an origin into such words, where mocks know them into theirs. */
export function httpFailure(error: unknown, origin: string, hasHeaders: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const code = codeOf(error);
  // The end came in the middle of a header or of a chunk, or before as many bytes as sound headers announced.
  if (code === 'HPE_INVALID_EOF_STATE' || (hasHeaders && code === MISMATCH))
    return new HttpFailure(httpErrorText('truncated', origin));
  const lacking = hasHeaders ? null : exhaustion(code);
  if (lacking !== null) {
    return new HttpFailure(`request to ${visibleText(origin)}: ${lacking}`, { unanswered: true, exhausted: true });
  }
  const kind = KNOWN.find(([codes]) => codes.test(code))?.[1];
  const unreached = !hasHeaders && ABSENT.test(code);
  const facts = { unreached, unanswered: unreached || (!hasHeaders && BROKEN.test(code)) };
  if (kind === 'reset') return new HttpFailure(httpErrorText(hasHeaders ? 'truncated' : 'reset', origin), facts);
  // The code says what is wrong with a certificate, and is what one looks for. Other codes differ by version of OpenSSL.
  if (kind === 'tls' && CERTIFICATE.test(code))
    return new HttpFailure(`${httpErrorText(kind, origin)} (${code})`, facts);
  if (kind !== undefined) return new HttpFailure(httpErrorText(kind, origin), facts);
  const rare = RARE.find(([codes]) => codes.test(code))?.[1] ?? `it failed${code === '' ? '' : ` (${code})`}`;
  return new HttpFailure(`request to ${visibleText(origin)}: ${rare}`, facts);
}

/** Nobody listens there at the moment, or no way leads there. */
const ABSENT = /^(?:ENOTFOUND|EAI_\w+|ECONNREFUSED|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|E(?:HOST|NET)(?:UNREACH|DOWN))$/;
/** Somebody was there, and the connection broke. */
const BROKEN = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** What is wrong with the certificate of a server. */
const CERTIFICATE = /CERT|SIGNATURE|ALTNAME/;

const KNOWN: readonly (readonly [codes: RegExp, error: HttpError])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'dns'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'timeout'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'reset'],
  [/^(?:HPE_(?!HEADER_OVERFLOW)|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/, 'malformed'],
  [/CERT|SIGNATURE|ALTNAME|^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/, 'tls'],
];

const RARE: readonly (readonly [codes: RegExp, text: string])[] = [
  [/^E(?:HOST|NET)(?:UNREACH|DOWN)$|^EADDRNOTAVAIL$/, 'the network does not lead there'],
  [/^(?:HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW)$/, 'the response headers exceed their limit'],
  [/^(?:Z_|ERR__ERROR|ERR_BROTLI|ERR_PADDING)/, 'the response body is not what its content-encoding says'],
];

/** True: the client gave up a body that is longer than it may be. */
export function isBodyTooLong(error: unknown): boolean {
  return codeOf(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // undici's parser names its errors, but not always their codes.
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  if (!('code' in error)) return '';
  const { code } = error;
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : '';
}
