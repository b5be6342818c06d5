import { type Span, spanOf } from './span.ts';

/** Beginnings and forms that their makers publish, so that leaked ones can be found. */
const PREFIXED: readonly string[] = [
  // AWS access keys; GitHub, GitLab, npm, PyPI, Hugging Face.
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'gh[oprsu]_[A-Za-z0-9]{36,255}',
  'github_pat_[A-Za-z0-9_]{22,255}',
  'glpat-[\\w-]{20,255}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-[\\w-]{50,500}',
  'hf_[A-Za-z0-9]{30,64}',
  // Model providers; Stripe; Slack; Google; SendGrid.
  'sk-[A-Za-z0-9_-]{20,255}',
  '[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}',
  'whsec_[A-Za-z0-9+/=]{16,255}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,255}',
  'AIza[\\w-]{35}',
  'ya29\\.[\\w-]{20,2048}',
  'SG\\.[\\w-]{22}\\.[\\w-]{43}',
  // JSON Web Tokens (RFC 7519): a header and claims in base64url.
  'eyJ[\\w-]{8,4096}\\.eyJ[\\w-]{8,8192}(?:\\.[\\w-]{0,2048})?',
];

/** What is in every text that has one of them. */
export const SECRET_SIGN =
  /AKIA|ASIA|gh[oprsu]_|github_pat_|glpat-|npm_|pypi-|hf_|sk-|k_live_|k_test_|whsec_|xox|AIza|ya29\.|SG\.|eyJ|Bearer|Basic|=/;

/** Words of keys whose values are secrets. */
const SECRET_KEY =
  /^(?:x[-_]?)?(?:.{1,40}[-_.])?(?:api[-_]?key|access[-_]?key|secret(?:[-_]?(?:access[-_]?)?key)?|client[-_]?secret|passw(?:or)?d|passphrase|pwd|auth(?:orization)?|(?:access|auth|refresh|id|session|bearer|api)[-_]?token|token|private[-_]?key|credentials?|cookie|set-cookie)$/i;

/** True: what stands under this key of a JSON text, header or form is a secret. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key.trim());
}

/** Words of keys whose digits are secrets. What is called a token may also be a number of tokens. */
const DIGITS_KEY =
  /^(?:.{1,40}[-_.])?(?:passw(?:or)?d|passphrase|passcode|pwd|pin(?:[-_]?(?:code|number))?|cv[vc]2?|otp|secret|api[-_]?key|access[-_]?(?:key|code))$/i;

/** True: digits that stand under this key, as a text or a number, are a secret. */
export function isSecretDigits(key: string, digits: string): boolean {
  return /^-?\d{3,32}$/.test(digits) && DIGITS_KEY.test(key.trim());
}

/** What only stands for a secret: a variable, a template, a place to be filled in, stars, a token of ours. */
const PLACEHOLDER = /^(?:\$|%[A-Z]|\{|<|\*+$|x{3,}$|\.{3}|secret_[0-9a-f]{16}$|null$|true$|false$|undefined$)/i;

/** True: it names a secret, and is none. */
export function isPlaceholder(value: string): boolean {
  return value === '' || PLACEHOLDER.test(value);
}

/**
 * A hit: keys and tokens with a published beginning (`ghp_…`, `AKIA…`, `sk-…`, a JSON Web Token), what follows `Bearer` or
 * `Basic`, and values of forms and variables whose names say so (`?api_key=…`, `DB_PASSWORD=…`). No hit: what stands for a
 * secret (`$TOKEN`, `{{token}}`, `***`), and words after a colon, which are prose as often.
 */
export function* findSecrets(text: string): Generator<Span> {
  const prefixed = new RegExp(`(?<![A-Za-z0-9_-])(?:${PREFIXED.join('|')})(?![A-Za-z0-9])`, 'g');
  for (const { 0: found, index } of text.matchAll(prefixed)) yield spanOf(index, found);
  for (const { 0: found, index, 1: token = '' } of text.matchAll(/\b(?:Bearer|Basic)\s+([\w.~+/-]{8,8192}={0,2})/g)) {
    if (/[\d=+/_.]/.test(token)) yield spanOf(index + found.length - token.length, token);
  }
  for (const { 0: found, index, 1: key = '', 2: value = '' } of text.matchAll(
    /(?<![\w.-])([\w.-]{2,60})=([^\s"'&;,<>(){}[\]\\|]{4,2048})/g,
  )) {
    if (isSecretKey(key) && !isPlaceholder(value)) yield spanOf(index + found.length - value.length, value);
  }
}

/** What stands between `//` and the last `@` before the path of a URL (RFC 3986, 3.2.1), where a password is in it. */
export function* findUrlCredentials(text: string): Generator<Span> {
  if (!text.includes('@')) return;
  for (const { 0: found, index } of text.matchAll(/(?<=[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"\\<>`]{1,512}(?=@)/gi)) {
    if (found.includes(':') && !isPlaceholder(found.slice(found.indexOf(':') + 1))) yield spanOf(index, found);
  }
}

/** Private keys in PEM (RFC 7468), whole. */
export function* findPrivateKeys(text: string): Generator<Span> {
  for (const { 0: begin, index } of text.matchAll(/-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----/g)) {
    const label = begin.slice('-----BEGIN '.length);
    const end = text.indexOf(`-----END ${label}`, index);
    // One that is cut off is a secret to the end of the text.
    yield { from: index, to: end === -1 ? text.length : end + `-----END ${label}`.length };
  }
}
