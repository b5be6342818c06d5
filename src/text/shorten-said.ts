import { shortenDataUris } from './data-uris.ts';

/** Characters that reports keep of what a model or its plug-in said. */
const LONGEST = 4000;

/** What was said, with data URIs cut to their type and size, and cut short itself. Never ends in half a character. */
export function shortenSaid(said: string): string {
  const text = shortenDataUris(said);
  if (text.length <= LONGEST) return text;
  const last = text.charCodeAt(LONGEST - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? LONGEST - 1 : LONGEST)}…`;
}
