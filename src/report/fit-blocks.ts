/** Kept free for the note that says that something was left out. */
const NOTE_BYTES = 200;

/** As many blocks, from the first on, as fit `maxBytes` as UTF-8; a note in the place of those that do not. */
export function fitBlocks(blocks: readonly string[], maxBytes: number, note: (left: number) => string): string {
  const sizes = blocks.map((block) => Buffer.byteLength(block));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxBytes) return blocks.join('');
  let used = NOTE_BYTES;
  let kept = 0;
  for (const size of sizes) {
    if (used + size > maxBytes) break;
    used += size;
    kept++;
  }
  return blocks.slice(0, kept).join('') + note(blocks.length - kept);
}
