/** Bytes that are reserved for the note about blocks that are left out. */
const NOTE_BYTES = 200;

/** As many of the first blocks as fit `maxBytes` of UTF-8, and a note in place of the others. */
export function fitBlocks(blocks: readonly string[], maxBytes: number, note: (left: number) => string): string {
  const sizes = blocks.map((block) => Buffer.byteLength(block));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxBytes) return blocks.join('');
  let used = NOTE_BYTES;
  let fitting = 0;
  for (const size of sizes) {
    if (used + size > maxBytes) break;
    used += size;
    fitting++;
  }
  return blocks.slice(0, fitting).join('') + note(blocks.length - fitting);
}
