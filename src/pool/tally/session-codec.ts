import { SessionCounts } from '../../trial/session-counts.ts';
import { corrupt, fillNumbers, packNumbers } from './packed-numbers.ts';

/** Counts of sessions as a list of plain values; null: trials are none. */
export function packSessions(sessions: SessionCounts | null): readonly unknown[] | null {
  if (sessions === null) return null;
  const { reached, most, calls, spoilt, played } = sessions;
  return [reached, most, calls, spoilt, played].map(packNumbers);
}

/** The counts that `packSessions` gave, of so many sub-goals, null: trials are no sessions; throws `INTEGRITY` for anything else. */
export function unpackSessions(value: unknown, goals: number | null): SessionCounts | null {
  if (goals === null && value === null) return null;
  if (goals === null || !Array.isArray(value) || value.length !== 5) throw corrupt('sessions is not a list of counts');
  const sessions = new SessionCounts(goals);
  const [reached, most, calls, spoilt, played] = value as readonly unknown[];
  fillNumbers(reached, 'sessions', sessions.reached);
  fillNumbers(most, 'sessions', sessions.most);
  fillNumbers(calls, 'sessions', sessions.calls);
  fillNumbers(spoilt, 'sessions', sessions.spoilt);
  fillNumbers(played, 'sessions', sessions.played);
  return sessions;
}
