import { comparedCalls, messagesOf } from '../../checks/gold-check.ts';
import { halfSipHash } from '../../random/half-sip-hash.ts';
import { hideCredentials } from '../../text/hide-credentials.ts';
import type { TrialRecord } from '../../types/record.ts';
import {
  MOST_TRAIL_CALLS,
  MOST_TRAIL_ITEM,
  MOST_TRAIL_TEXT,
  type SessionTrail,
  type TrailCall,
} from '../../types/sessions/session-trail.ts';
import { jsonText } from '../../values/json-text.ts';

/** The calls of a session, bounded: the first of them one by one, and a digest of all. */
export function sessionTrail({ trial, turns, calls }: Pick<TrialRecord, 'trial' | 'turns' | 'calls'>): SessionTrail {
  const compared = comparedCalls(calls) ?? [];
  const messageOf = messagesOf(turns, compared);
  const trail: TrailCall[] = [];
  const digests: string[] = [];
  let room = MOST_TRAIL_TEXT;
  for (const [at, { names, by, args }] of compared.entries()) {
    const [who, tool, argsText] = [bounded(by), bounded(names[0] ?? ''), bounded(jsonText(args))];
    digests.push(digestOf(JSON.stringify([who, tool, argsText])));
    room -= who.length + tool.length + argsText.length;
    if (room < 0 || trail.length === MOST_TRAIL_CALLS || trail.length < at) continue;
    trail.push({ message: messageOf(at), ...(who !== '' && { by: who }), tool, args: argsText });
  }
  return { trial, made: compared.length, digest: digestOf(digests.join()), calls: trail };
}

/** Characters of a text that tell it from others of its length: more would take long to look at. */
const MOST_TOLD = 65_536;

/** A text that was cut ends with what tells it from others. */
function bounded(original: string): string {
  const text = hideCredentials(original.slice(0, MOST_TOLD)).toWellFormed();
  if (original.length <= MOST_TRAIL_ITEM) return text;
  return `${text.slice(0, MOST_TRAIL_ITEM).toWellFormed()}… (${original.length} characters, ${digestOf(text)})`;
}

function digestOf(text: string): string {
  return halfSipHash([0, 0], text)
    .map((word) => word.toString(16).padStart(8, '0'))
    .join('');
}
