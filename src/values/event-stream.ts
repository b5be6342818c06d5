import type { JsonObject } from '../types/json.ts';
import { writeJson } from './exact-json.ts';

/** One event of a stream, whose data are JSON. */
export interface StreamEvent {
  /** Null: it has no name. */
  readonly event: string | null;
  readonly data: JsonObject;
}

/** Events as they go over the wire (server-sent events). `end`: what closes the stream besides; '': nothing. */
export function eventStream(events: readonly StreamEvent[], end: string): string {
  const texts = events.map(({ event, data }) => {
    const head = event === null ? '' : `event: ${event}\n`;
    return `${head}data: ${writeJson(data)}\n\n`;
  });
  return texts.join('') + end;
}
