import { PasskError } from '../errors.ts';

/** Where a queue is. `url` may hold a password: it goes to the client and nowhere else. */
export interface RedisAddress {
  readonly url: string;
  /** The same for people: without user, password and parameters. */
  readonly shown: string;
}

const HINT = 'Give one like redis://host:6379, or rediss:// for TLS, best in the variable PASSK_QUEUE.';

/** Reads the address of a queue. Its text is in no message, since a typing error does not make a password public. */
export function parseRedisAddress(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new PasskError('USAGE', 'The address of the queue is no URL.', { hint: HINT });
  const { protocol, hostname, port, pathname } = url;
  if (protocol !== 'redis:' && protocol !== 'rediss:') {
    throw new PasskError('USAGE', 'The address of the queue is no redis:// or rediss:// URL.', { hint: HINT });
  }
  if (hostname === '') throw new PasskError('USAGE', 'The address of the queue names no host.', { hint: HINT });
  if (!/^\/?\d*$/.test(pathname)) {
    throw new PasskError('USAGE', 'The path of the queue address is no number of a database.', { hint: HINT });
  }
  const database = pathname.length > 1 ? pathname : '';
  return { url: text, shown: `${protocol}//${hostname}:${port === '' ? '6379' : port}${database}` };
}
