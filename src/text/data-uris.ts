import { formatCount } from './format-number.ts';

// Both patterns look once at each character: no part can take over what another has given up.
const BASE64 = /(data:(?:[\w.+-]{1,60}\/[\w.+-]{1,60})?[\w;=.+-]{0,120};base64,)([\w+/%-]{100,})=*/gi;
const OTHER = /(data:(?:[\w.+-]{1,60}\/[\w.+-]{1,60})?[\w;=.+-]{0,120},)([\w%+/=.~-]{100,})/gi;

/**
 * The text with the payload of each data URI replaced by its size: `data:image/png;base64,…15,464 bytes`. Payloads below 100
 * characters stay.
 */
export function shortenDataUris(text: string): string {
  if (text.length <= 100 || !/data:/i.test(text)) return text;
  return text
    .replace(
      BASE64,
      (_, prefix: string, { length }: string) => `${prefix}…${formatCount(Math.floor((length * 3) / 4))} bytes`,
    )
    .replace(OTHER, (_, prefix: string, { length }: string) => `${prefix}…${formatCount(length)} characters`);
}
