/** How many bits are set; by halves, as there may be a million of them. */
export function countBits(words: Uint32Array): number {
  let set = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i] as number;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    set += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return set;
}
