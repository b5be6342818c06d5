import { SessionCounts } from '../../trial/tally/session-counts.ts';
import {
  MOST_TRAIL_CALLS,
  MOST_TRAIL_TEXT,
  type SessionTrail,
  type TrailCall,
} from '../../types/sessions/session-trail.ts';
import { checkedCount, corrupt, fillNumbers, packNumbers } from './packed-numbers.ts';

/** Counts of sessions as a list of plain values; null: trials are none. */
export function packSessions(sessions: SessionCounts | null): readonly unknown[] | null {
  if (sessions === null) return null;
  const { reached, most, calls, spoilt, played, mutated, telling, silent, passedOdd } = sessions;
  return [
    ...[reached, most, calls, spoilt, played, mutated, telling, silent, passedOdd].map(packNumbers),
    packTrail(sessions.passedTrail),
    packTrail(sessions.failedTrail),
  ];
}

/** The counts that `packSessions` gave, of so many sub-goals, null: trials are no sessions; throws `INTEGRITY` for anything else. */
export function unpackSessions(value: unknown, goals: number | null): SessionCounts | null {
  if (goals === null && value === null) return null;
  if (goals === null || !Array.isArray(value) || value.length !== 11) throw corrupt('sessions is not a list of counts');
  const sessions = new SessionCounts(goals);
  const [reached, most, calls, spoilt, played, mutated, telling, silent, odd, passed, failed]: readonly unknown[] =
    value;
  fillNumbers(reached, 'sessions', sessions.reached);
  fillNumbers(most, 'sessions', sessions.most);
  fillNumbers(calls, 'sessions', sessions.calls);
  fillNumbers(spoilt, 'sessions', sessions.spoilt);
  fillNumbers(played, 'sessions', sessions.played);
  fillNumbers(mutated, 'sessions', sessions.mutated);
  fillNumbers(telling, 'sessions', sessions.telling);
  fillNumbers(silent, 'sessions', sessions.silent);
  fillNumbers(odd, 'sessions', sessions.passedOdd);
  sessions.passedTrail = unpackTrail(passed);
  sessions.failedTrail = unpackTrail(failed);
  return sessions;
}

function packTrail(trail: SessionTrail | null): readonly unknown[] | null {
  if (trail === null) return null;
  const { trial, made, digest, calls } = trail;
  return [trial, made, digest, calls.map(({ message, by = null, tool, args }) => [message, by, tool, args])];
}

function unpackTrail(value: unknown): SessionTrail | null {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 4) throw corrupt('sessions has no list of calls');
  const [trial, made, digest, calls] = value as readonly unknown[];
  if (typeof digest !== 'string' || !/^[0-9a-f]{16}$/.test(digest)) throw corrupt('sessions has no digest of calls');
  if (!Array.isArray(calls) || calls.length > MOST_TRAIL_CALLS) throw corrupt('sessions has no list of calls');
  return {
    trial: checkedCount(trial, 'sessions', 2 ** 32),
    made: checkedCount(made, 'sessions', Number.MAX_SAFE_INTEGER),
    digest,
    calls: calls.map(unpackCall),
  };
}

function unpackCall(value: unknown): TrailCall {
  if (!Array.isArray(value) || value.length !== 4) throw corrupt('sessions has no readable call');
  const [message, by, tool, args] = value as readonly unknown[];
  if (!isShort(tool) || !isShort(args) || !(by === null || isShort(by))) throw corrupt('sessions has no readable call');
  return {
    message: message === null ? null : checkedCount(message, 'sessions', Number.MAX_SAFE_INTEGER),
    ...(by !== null && { by }),
    tool,
    args,
  };
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_TRAIL_TEXT;
}
