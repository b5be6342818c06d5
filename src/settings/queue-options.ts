import { PasskError } from '../errors.ts';
import { parseRedisAddress, type RedisAddress } from '../queue/redis-address.ts';
import type { Issue } from '../types/issue.ts';

/** Where a queue is, and how patient its users are. */
export interface QueueOptions {
  /** `redis://` or `rediss://` with host, port, database, user and password. It appears in no report or message. */
  readonly url: string;
  /** A worker that has been silent for so long loses what it claimed to others; default 10,000. */
  readonly lockMs?: number;
  /** How long Redis may be away before the run ends with an error; default 60,000. */
  readonly outageMs?: number;
  /** How long there may be no worker before the run ends with an error; default 600,000. */
  readonly waitMs?: number;
  /** Is told who takes part, who does not and why, and when Redis is away, in sentences. */
  readonly onNotice?: (text: string) => void;
}

export interface ResolvedQueueOptions {
  readonly address: RedisAddress;
  readonly lockMs: number;
  readonly outageMs: number;
  readonly waitMs: number;
  readonly onNotice: (text: string) => void;
}

/** How long Redis may be away, in ms, when nobody says how long. */
export const OUTAGE_MS = 60_000;

// Claims take about a second, and doing one twice is harmless: what counts is that the last ones of a run are not held
// up by a worker that died. Ten seconds are far beyond any pause of a process that lives.
const LOCK_MS = 10_000;
const WAIT_MS = 600_000;
const LONGEST_MS = 24 * 3_600_000;

/** The options with defaults filled in. Throws `USAGE`; no message holds the address. */
export function resolveQueue(queue: string | QueueOptions): ResolvedQueueOptions {
  const {
    url,
    lockMs = LOCK_MS,
    outageMs = OUTAGE_MS,
    waitMs = WAIT_MS,
    onNotice = () => undefined,
  } = typeof queue === 'string' ? { url: queue } : queue;
  const issues = Object.entries({ lockMs, outageMs, waitMs }).flatMap(([name, value]): Issue[] => {
    const most = name === 'lockMs' ? 3_600_000 : LONGEST_MS;
    if (Number.isInteger(value) && value >= 200 && value <= most) return [];
    const message = `\`queue.${name}\` must be a whole number from 200 to ${most}, got ${String(value)}.`;
    return [{ code: 'bad_option', severity: 'error', message }];
  });
  if (issues.length > 0) throw new PasskError('USAGE', issues.map(({ message }) => message).join(' '), { issues });
  return { address: parseRedisAddress(String(url)), lockMs, outageMs, waitMs, onNotice };
}
