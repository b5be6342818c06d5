// Draws the image that the test `input-image-base64` shows to models, and writes it into src/suites/model/genkit-image.ts:
// the word "Genkit" in black squares on white, an RGB image of 8 bits. Run it with `node scripts/draw-genkit-image.mjs`.
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const LETTERS = [
  ['.###.', '#...#', '#....', '#.###', '#...#', '#...#', '.###.'],
  ['.....', '.....', '.###.', '#...#', '#####', '#....', '.###.'],
  ['.....', '.....', '#.##.', '##..#', '#...#', '#...#', '#...#'],
  ['#....', '#....', '#..#.', '#.#..', '##...', '#.#..', '#..#.'],
  ['.#.', '...', '##.', '.#.', '.#.', '.#.', '###'],
  ['.#..', '.#..', '###.', '.#..', '.#..', '.#.#', '..#.'],
];
const SQUARE = 12;
const MARGIN = 3;

const word = LETTERS[0].map((_, row) => LETTERS.map((letter) => letter[row]).join('.'));
const blank = '.'.repeat(word[0].length + 2 * MARGIN);
const side = '.'.repeat(MARGIN);
const squares = [
  ...Array.from({ length: MARGIN }, () => blank),
  ...word.map((row) => side + row + side),
  ...Array.from({ length: MARGIN }, () => blank),
];
const [width, height] = [blank.length * SQUARE, squares.length * SQUARE];

// Each line begins with its filter: 0, none.
const line = (row) => Buffer.from([0, ...[...row].flatMap((dot) => Array(SQUARE * 3).fill(dot === '#' ? 0 : 255))]);
const pixels = Buffer.concat(squares.flatMap((row) => Array(SQUARE).fill(line(row))));

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

const header = Buffer.alloc(13);
header.writeUInt32BE(width, 0);
header.writeUInt32BE(height, 4);
// 8 bits, RGB, no interlacing.
header.set([8, 2, 0, 0, 0], 8);
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(pixels, { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
]);

const text = png
  .toString('base64')
  .match(/.{1,110}/g)
  .map((part) => `  '${part}',`)
  .join('\n');
writeFileSync(
  new URL('../src/suites/model/genkit-image.ts', import.meta.url),
  `/** A PNG image of the word "Genkit", ${width} by ${height}, as base64. Drawn by scripts/draw-genkit-image.mjs. */
export const GENKIT_IMAGE = [
${text}
].join('');
`,
);
