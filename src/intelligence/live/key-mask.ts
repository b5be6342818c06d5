import type { Json, JsonObject } from '../../types/json.ts';
import type { MessagePart } from '../../types/message.ts';
import { mapTexts } from '../../values/map-texts.ts';
import { anyOf, secretSpellings } from '../../values/secret-spellings.ts';
import type { Exchange } from './exchange.ts';

/** Shorter texts are words that answers may well hold. */
const SHORTEST = 6;

/** Replaces a key, plain or encoded, in whatever a server sends back; keys reach no report, trace or error. */
export function keyMask(key: string | null): (text: string) => string {
  if (key === null || key.length < SHORTEST) return (text) => text;
  const pattern = anyOf(secretSpellings(key));
  return (text) => text.replace(pattern, '[key]');
}

/** The same for one part of an answer, a tool's arguments included. */
export function maskPart(part: MessagePart, mask: (text: string) => string): MessagePart {
  // Plain data by its type.
  return mapTexts(part as unknown as Json, mask) as unknown as MessagePart;
}

/** The same for all that one request came to. Done before anything is cut short, which would leave half a key. */
export function maskExchange(sent: Exchange, mask: (text: string) => string): Exchange {
  switch (sent.kind) {
    case 'status':
      return { ...sent, text: mask(sent.text) };
    case 'lost':
      return { ...sent, message: mask(sent.message) };
    case 'reply': {
      const { reply } = sent;
      return {
        kind: 'reply',
        reply:
          reply.kind === 'answer'
            ? {
                ...reply,
                parts: reply.parts.map((part) => maskPart(part, mask)),
                ...(reply.body !== undefined && { body: mapTexts(reply.body, mask) as JsonObject }),
              }
            : { ...reply, message: mask(reply.message) },
      };
    }
  }
}
