import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32c } from '../../src/records/crc32c.ts';
import { encodeFrame, FRAME_HEAD, type FrameEnd, FrameReader } from '../../src/records/frame.ts';

const bytesOf = (count: number, byte: (index: number) => number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, index) => byte(index));

// RFC 3720, B.4, and the check value of the CRC catalogues.
test.each([
  ['32 zeros', bytesOf(32, () => 0), 0x8a9136aa],
  ['32 ones', bytesOf(32, () => 0xff), 0x62a8ab43],
  ['0 to 31', bytesOf(32, (index) => index), 0x46dd794e],
  ['31 to 0', bytesOf(32, (index) => 31 - index), 0x113fdb5c],
  ['"123456789"', new TextEncoder().encode('123456789'), 0xe3069283],
  ['nothing', new Uint8Array(0), 0],
])('CRC-32C agrees with the published value for %s', (_, bytes, value) => {
  expect(crc32c(bytes)).toBe(value);
});

const values = fc.array(
  fc.record({ kind: fc.constant('delta'), at: fc.nat(), tally: fc.uint8Array({ minLength: 1, maxLength: 60 }) }),
  { minLength: 1, maxLength: 6 },
);

interface Read {
  readonly values: unknown[];
  readonly end: FrameEnd;
}

function read(bytes: Uint8Array, pieceLength = bytes.length): Read {
  const reader = new FrameReader();
  const found: unknown[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) found.push(...reader.push(bytes.slice(at, at + pieceLength)));
  return { values: found, end: reader.end() };
}

/** All frames in a row, and where each ends. */
function written(list: readonly unknown[]): { readonly bytes: Uint8Array; readonly ends: readonly number[] } {
  const frames = list.map(encodeFrame);
  let end = 0;
  const ends = frames.map((frame) => {
    end += frame.length;
    return end;
  });
  return { bytes: Buffer.concat(frames), ends };
}

describe('frames', () => {
  test('come back as they were written, however the bytes are cut', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 200 }), (list, pieceLength) => {
        const { bytes } = written(list);
        expect(read(bytes, pieceLength)).toEqual({ values: list, end: { kind: 'complete', at: bytes.length } });
      }),
    );
  });

  test('that are cut off are torn, and all before the cut survive', () => {
    fc.assert(
      fc.property(values, fc.nat(), (list, place) => {
        const { bytes, ends } = written(list);
        const cut = place % bytes.length;
        const whole = ends.filter((end) => end <= cut);
        const at = whole.at(-1) ?? 0;
        expect(read(bytes.subarray(0, cut))).toEqual({
          values: list.slice(0, whole.length),
          end: { kind: cut === at ? 'complete' : 'torn', at },
        });
      }),
    );
  });

  test('with any byte changed are corrupt, and all before them survive', () => {
    fc.assert(
      fc.property(values, fc.nat(), fc.integer({ min: 1, max: 255 }), (list, place, change) => {
        const { bytes, ends } = written(list);
        const damaged = Uint8Array.from(bytes);
        const where = place % bytes.length;
        damaged[where] = (damaged[where] as number) ^ change;
        const whole = ends.filter((end) => end <= where);
        expect(read(damaged)).toEqual({
          values: list.slice(0, whole.length),
          end: { kind: 'corrupt', at: whole.at(-1) ?? 0 },
        });
      }),
    );
  });

  test('followed by zeros, as a power cut leaves them, are corrupt from there on', () => {
    const { bytes } = written([{ a: 1 }]);
    expect(read(Buffer.concat([bytes, new Uint8Array(500)]))).toEqual({
      values: [{ a: 1 }],
      end: { kind: 'corrupt', at: bytes.length },
    });
  });

  test('of any bytes at all are read without a crash, and no length is believed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const { values: found, end } = read(bytes);
        expect(found).toEqual([]);
        expect(end).toEqual({
          kind: bytes.length === 0 ? 'complete' : bytes.length < FRAME_HEAD ? 'torn' : 'corrupt',
          at: 0,
        });
      }),
    );
  });

  test('that would be too long are refused when they are written', () => {
    expect(() => encodeFrame(new Uint8Array(64 * 1024 * 1024))).toThrow(expect.objectContaining({ code: 'OUTPUT' }));
  });
});
