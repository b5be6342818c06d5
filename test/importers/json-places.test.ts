import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonPath, type JsonPlace, jsonPlaces } from '../../src/importers/json-places.ts';

function placesIn(text: string | Uint8Array, paths: readonly JsonPath[]) {
  const bytes = Buffer.from(text);
  const found: JsonPlace[] = [];
  const steps = jsonPlaces({
    read: (from, to) => bytes.subarray(from, to),
    bytes: bytes.length,
    paths,
    found: (place) => void found.push(place),
  });
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      const texts = found.map(({ path, from, to }) => [path, bytes.subarray(from, to).toString('utf8')] as const);
      return { texts, ...step.value };
    }
  }
}

describe('jsonPlaces', () => {
  it('finds the elements of a list at the root, each with its own bytes', () => {
    expect(placesIn(' [ {"a": "]}"} , [1, 2], "x\\"]" , null ] ', [['*']]).texts).toEqual([
      [0, '{"a": "]}"}'],
      [0, '[1, 2]'],
      [0, '"x\\"]"'],
      [0, 'null'],
    ]);
  });

  it('finds what is asked for below keys, and leaves the rest as text with null in its place', () => {
    const text = '{"eval": {"model": "m"}, "samples": [{"id": 1}, {"id": 2}], "n": [7]}';
    const { texts, text: rest } = placesIn(text, [
      ['samples', '*'],
      ['n', '*'],
    ]);
    expect(texts).toEqual([
      [0, '{"id": 1}'],
      [0, '{"id": 2}'],
      [1, '7'],
    ]);
    expect(JSON.parse(rest)).toEqual({ eval: { model: 'm' }, samples: [null, null], n: [null] });
  });

  it('says where elements begin that paths lead into, and keeps no rest where nobody needs it', () => {
    const text = '{"a": [{"name": "x", "b": [1, 2]}, {"b": [3]}]}';
    const told: string[] = [];
    const steps = jsonPlaces({
      read: (from, to) => Buffer.from(text).subarray(from, to),
      bytes: text.length,
      paths: [['a', '*', 'b', '*']],
      withoutRest: true,
      entered: (depth) => void told.push(`enter ${depth}`),
      found: ({ from, to }) => void told.push(text.slice(from, to)),
    });
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done !== true) continue;
      expect(step.value).toEqual({ text: '', cut: null });
      break;
    }
    expect(told).toEqual(['enter 2', '1', '2', 'enter 2', '3']);
  });

  it('tells of a text that is cut off what is there of its last value, and that it is cut off', () => {
    const { texts, cut } = placesIn('[{"a": 1}, {"b": "two', [['*']]);
    expect(texts).toEqual([
      [0, '{"a": 1}'],
      [0, '{"b": "two'],
    ]);
    expect(cut?.message).toBe('The file ends in the middle of a value.');
  });

  it.each([
    ['[1 2]', 'Expected "," or "]".'],
    ['{"a" 1}', 'Expected ":" after a key.'],
    ['[,]', 'A value is missing.'],
    ['[1] 2', 'Something follows the end of the JSON text.'],
    ['{1: 2}', 'A key is missing.'],
  ])('refuses %s', (text, why) => {
    expect(() => placesIn(text, [['*'], ['a', '*']])).toThrow(why);
  });

  it('passes over long and short strings, with escapes where a look from byte to byte ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom('x'.repeat(47), 'x', '\\', '"', ']', '}', 'é'), { maxLength: 9 })),
        (strings) => {
          const values = strings.map((parts) => ({ [parts.join('')]: [parts.join(''), {}] }));
          const { texts } = placesIn(JSON.stringify(values), [['*']]);
          expect(texts.map(([, text]) => JSON.parse(text))).toEqual(values);
        },
      ),
    );
  });

  it('finds in every JSON text what JSON.parse finds, wherever chunks end', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), fc.nat(3), fc.boolean(), (values, indent, pad) => {
        const before = pad ? `{"a": ["${'\\n"'.slice(0, 2).repeat(524_280)}${'x'.repeat(indent)}"], "b]": {}},` : '';
        const list = `[${before}${values.join(',')}]`.replace(',]', ']');
        const { texts } = placesIn(list, [['*']]);
        expect(texts.map(([, text]) => JSON.parse(text))).toEqual(JSON.parse(list));
      }),
      { numRuns: 60 },
    );
  });
});
