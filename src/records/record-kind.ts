import { FRAME_HEAD } from './frame.ts';

/** The word in the head of each kind of file that is made of frames. */
export const RECORD_WORDS = {
  shard: 'passk-shard',
  journal: 'passk-journal',
  cassette: 'passk-cassette',
  answers: 'passk-answers',
} as const;

export type RecordKind = keyof typeof RECORD_WORDS;

/**
 * The kind of a file, told by its first bytes; null for files of others. Nothing is decoded and no checksum is looked at, so
 * that a file which was cut or damaged later on, or is of another format, is told as well.
 */
export function recordKind(head: Uint8Array): RecordKind | null {
  return STARTS.find(({ start }) => Buffer.compare(start, head.subarray(AT, AT + start.length)) === 0)?.kind ?? null;
}

/** After the byte that begins a map of up to 15 keys. */
const AT = FRAME_HEAD + 1;

const STARTS = Object.entries(RECORD_WORDS).map(([kind, word]) => ({
  kind: kind as RecordKind,
  start: Buffer.concat([shortText('kind'), shortText(word)]),
}));

/** A text of up to 31 bytes in MessagePack. */
function shortText(text: string): Buffer {
  return Buffer.from([0xa0 | text.length, ...Buffer.from(text)]);
}
