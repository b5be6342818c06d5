type Word = number;

/**
 * HalfSipHash-2-4 with 64 bits of output (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012; reference code
 * `halfsiphash.c`), over the UTF-16 code units of `text`, low byte first. `key`: two unsigned words; so is the result.
 */
export function halfSipHash(key: readonly [Word, Word], text: string): readonly [Word, Word] {
  const state = new HalfSip(key[0], key[1]);
  const even = text.length - (text.length % 2);
  for (let i = 0; i < even; i += 2) state.absorb(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
  const rest = even < text.length ? text.charCodeAt(even) : 0;
  state.absorb(rest | ((text.length * 2) << 24));
  return state.finish();
}

class HalfSip {
  private a: Word;
  private b: Word;
  private c: Word;
  private d: Word;

  constructor(low: Word, high: Word) {
    this.a = low;
    this.b = high ^ 0xee;
    this.c = low ^ 0x6c796765;
    this.d = high ^ 0x74656462;
  }

  absorb(word: Word): void {
    this.d ^= word;
    this.rounds(2);
    this.a ^= word;
  }

  finish(): readonly [Word, Word] {
    this.c ^= 0xee;
    this.rounds(4);
    const low = (this.b ^ this.d) >>> 0;
    this.b ^= 0xdd;
    this.rounds(4);
    return [low, (this.b ^ this.d) >>> 0];
  }

  private rounds(count: number): void {
    let { a, b, c, d } = this;
    for (let i = 0; i < count; i++) {
      a = (a + b) | 0;
      b = turnLeft(b, 5) ^ a;
      a = turnLeft(a, 16);
      c = (c + d) | 0;
      d = turnLeft(d, 8) ^ c;
      a = (a + d) | 0;
      d = turnLeft(d, 7) ^ a;
      c = (c + b) | 0;
      b = turnLeft(b, 13) ^ c;
      c = turnLeft(c, 16);
    }
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
  }
}

function turnLeft(word: Word, bits: number): Word {
  return (word << bits) | (word >>> (32 - bits));
}
