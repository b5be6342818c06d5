/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * How long the server asks to wait, in milliseconds; null: it does not say. `now` is the time as of 1970, for dates.
 * `retry-after-ms` and `retry-after` (seconds or an HTTP date, RFC 9110) go before what is left until rate limits
 * start anew (`x-ratelimit-reset-*`, as OpenAI writes durations: `1s`, `6m0s`, `120ms`), of those the longest.
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const exact = numberOf(headers['retry-after-ms']);
  if (exact !== null) return exact;
  const after = textOf(headers['retry-after']);
  if (after !== null) return numberOf(after) === null ? untilDate(after, now) : (numberOf(after) ?? 0) * 1000;
  const spent = RESETS.flatMap(({ reset, remaining }) => {
    const wait = durationMs(textOf(headers[reset]) ?? '');
    return wait !== null && numberOf(headers[remaining]) === 0 ? [wait] : [];
  });
  return spent.length === 0 ? null : Math.max(...spent);
}

const RESETS = [
  { reset: 'x-ratelimit-reset-requests', remaining: 'x-ratelimit-remaining-requests' },
  { reset: 'x-ratelimit-reset-tokens', remaining: 'x-ratelimit-remaining-tokens' },
] as const;

function textOf(header: Headers[string]): string | null {
  const text = typeof header === 'string' ? header : header?.[0];
  return text === undefined || text.trim() === '' ? null : text.trim();
}

function numberOf(header: Headers[string]): number | null {
  const text = textOf(header);
  return text !== null && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

function untilDate(text: string, now: number): number | null {
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function durationMs(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return null;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
}
