import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadNumberingPlans } from '../../src/pii/find-national-phones.ts';
import { NATIONAL_IDS } from '../../src/pii/national-ids.ts';
import { SCRUB_KINDS, type ScrubFinder, Scrubber } from '../../src/pii/scrubber.ts';
import { HARMLESS, PLANTED } from './planted.ts';

const KEY = 'a key that nobody knows';
const COUNTRIES = ['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'PT', 'BR', 'PL', 'CN'];
let make: () => Scrubber;
let phones: ScrubFinder;

beforeAll(async () => {
  const plans = await loadNumberingPlans();
  phones = { kind: 'phone', find: plans.finderFor(COUNTRIES) };
  const ids = Object.values(NATIONAL_IDS).map((find) => ({ kind: 'national_id' as const, find }));
  make = () => new Scrubber({ key: KEY, finders: [...ids, phones] });
});

/** What a reader of the text could get at: itself, JSON in it, and base64 in that. */
function unpack(text: string): string {
  const inside = [...text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/g)].map(([packed]) =>
    Buffer.from(packed, 'base64').toString(),
  );
  const escaped = text.replaceAll('\\u0040', '@').replaceAll(/\\+"/g, '"');
  return inside.length === 0 ? escaped : `${escaped}\n${inside.map(unpack).join('\n')}`;
}

test('of 200 planted items in eight languages, docs/production.md says how many are found, and of which kind', () => {
  expect(PLANTED).toHaveLength(200);
  const missed = PLANTED.filter(({ value, text }) => {
    const clean = unpack(make().text(text));
    // Half of a number is enough to know whose it is.
    const personal = value.replace(/^\p{L}+[.:]? /u, '');
    const half = Math.ceil(personal.length / 2);
    return clean.includes(personal.slice(0, half)) || clean.includes(personal.slice(half));
  });
  const alarms = HARMLESS.filter((text) => make().text(text) !== text);
  const page = readFileSync(new URL('../../docs/production.md', import.meta.url), 'utf8');
  expect({ missed: missed.map(({ language, value }) => `${language}: ${value}`), alarms }).toMatchInlineSnapshot(`
    {
      "alarms": [
        "Bestellung 4711-0815",
        "zamówienie 2024/11/0042",
        "SKU 12-3456-789",
        "666-12-3456",
        "900-12-3456",
        "529.982.247-26",
      ],
      "missed": [
        "en: 4155552671",
        "fr: contact[at]example.fr",
      ],
    }
  `);
  expect(page).toContain(`${PLANTED.length - missed.length} of ${PLANTED.length}`);
  expect(page).toContain(`${alarms.length} of ${HARMLESS.length}`);
});

describe('a token', () => {
  test('is the same for the same value, however it is written, and another for another key', () => {
    const scrub = make();
    expect(scrub.text('4111 1111 1111 1111')).toBe(scrub.text('4111-1111-1111-1111'));
    expect(scrub.text('Jane@Example.com')).toBe(scrub.text('jane@example.com'));
    expect(scrub.text('jane@example.com')).not.toBe(scrub.text('joan@example.com'));
    expect(new Scrubber({ key: 'another' }).text('jane@example.com')).not.toBe(scrub.text('jane@example.com'));
    expect(scrub.counts.email).toEqual({ found: 5, values: 2 });
  });

  test('takes the place of a card, whatever number stands behind it', () => {
    const card = make().text('4111 1111 1111 1111');
    expect(make().text('4111 1111 1111 1111 000')).toBe(`${card} 000`);
    expect(make().text('4111-1111-1111-1111 12')).toBe(`${card} 12`);
  });

  test('takes the place of a card, whatever number stands before it', () => {
    const scrub = new Scrubber({ key: KEY, finders: [phones] });
    const card = scrub.text('4111 1111 1111 1111');
    for (const before of ['2024', '+48 2024', '4111', '0171']) {
      expect(scrub.text(`${before} 4111 1111 1111 1111 123`)).toBe(`${before} ${card} 123`);
    }
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,8}(?: \d{1,4}){0,3}$/), (before) => {
        // This card, or one that the number before it makes with its first groups.
        expect(scrub.text(`${before} 4111 1111 1111 1111`)).toMatch(/card_[0-9a-f]{16}/);
      }),
    );
  });

  test.each(['ab@cd.com', 'jane@example.com'])('takes the place of %s in base64, with and without padding', (email) => {
    const scrub = make();
    for (const form of ['base64', 'base64url'] as const) {
      const packed = scrub.json(JSON.stringify({ a: Buffer.from(email).toString(form) }));
      const { a } = JSON.parse(packed) as { readonly a: string };
      expect(Buffer.from(a, form).toString()).toMatch(/^email_[0-9a-f]{16}$/);
    }
  });

  test('takes the place of what is percent-encoded or written with references of HTML, and of nothing else there', () => {
    const { text } = { text: (of: string) => make().text(of) };
    const token = text('jane@example.com');
    const phone = text('+49 170 1234567');
    const kept = ['a%20b', '100%', '%zz%', '%ff%fe', 'x&#64;media', 'a&amp;b&#60;', 'q=1%2C2&w=%7B%7D'];
    expect(kept.map(text)).toEqual(kept);
    expect(
      [
        'jane%40example.com',
        'jane%2540example.com',
        'https://x.example/?to=Jane%40Example.com&n=%2B49%20170%201234567#a',
        'mailto:jane&#64;example.com?subject=a%20b',
        '<b>jane&#x40;example&period;com</b>, jane&commat;example.com',
        '{"a":"jane%40example.com"}',
      ].map(text),
    ).toEqual([
      token,
      token,
      `https://x.example/?to=${token}&n=${phone}#a`,
      `mailto:${token}?subject=a%20b`,
      `<b>${token}</b>, ${token}`,
      `{"a":"${token}"}`,
    ]);
  });

  test('stays as it is when it is scrubbed again', () => {
    for (const { text } of PLANTED) {
      const once = make().text(text);
      expect(make().text(once)).toBe(once);
    }
  });

  test('says nothing of the value but its kind', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9._+-]{0,20}[a-z0-9]@[a-z]{1,10}\.(?:com|example)$/), (email) => {
        const clean = make().text(` ${email} `);
        expect(clean).toMatch(new RegExp(`^ (?:${SCRUB_KINDS.join('|')})_[0-9a-f]{16} $`));
      }),
    );
  });
});

describe('a JSON text', () => {
  test('keeps every byte that is no personal data: blanks, order, doubled keys, numbers as they are written', () => {
    const json = '{ "a" : 1.0,\r\n  "a":12345678901234567890, "b": [ "jane@example.com", 1e5, "\\u00e4" ] }';
    const token = make().text('jane@example.com');
    expect(make().json(json)).toBe(json.replace('jane@example.com', token));
  });

  test('of any form stays the same value where nothing is found, and stays JSON where something is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('jane@example.com', '4111111111111111'), (value, personal) => {
        const scrub = make();
        const text = JSON.stringify({ value, personal });
        const clean = scrub.json(text);
        expect(clean).not.toContain(personal);
        expect(() => JSON.parse(clean)).not.toThrow();
        if (scrub.takeFound().length === 1) expect(JSON.parse(clean).value).toEqual(JSON.parse(text).value);
      }),
    );
  });

  test('that is none after all hides nothing: lines of logs, wrong escapes, quotes without an end', () => {
    for (const text of [
      '[2026-11-26] user "x" wrote from jane@example.com',
      '[INFO] "paid" with 4111 1111 1111 1111 from 203.0.113.7',
      '{"a": "C:\\users jane@example.com"}',
      '{"a": "cut off, jane@example.com',
      '{ jane@example.com: "x" }',
    ]) {
      expect(make().json(text)).not.toMatch(/jane@|4111|203\./);
      expect(make().text(text)).not.toMatch(/jane@|4111|203\./);
    }
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom('[', '{', ''), (before, after, begin) => {
        for (const personal of ['jane@example.com', '4111 1111 1111 1111']) {
          // As JSON has them: a backslash would take a letter of it.
          const text = `${begin}"${before.replaceAll('\\', '/')} ${personal} ${after}`;
          expect(make().text(text)).not.toContain(personal);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('loses what stands under the name of a secret, whatever it looks like, and keeps placeholders', () => {
    const clean = make().json(
      '{"password":"a","x-api-key":"b","token":"$TOKEN","Authorization":"Basic x","tokens":"12"}',
    );
    expect(clean).toMatch(
      /^\{"password":"secret_\w{16}","x-api-key":"secret_\w{16}","token":"\$TOKEN","Authorization":"secret_\w{16}","tokens":"12"\}$/,
    );
  });
});

test('a text of a megabyte that tries to be slow is read in time that grows with its length alone', () => {
  const hard = [
    'a@'.repeat(5e4),
    `${'a'.repeat(1e5)} %40 &#64;`,
    '%40'.repeat(3e4),
    'a&#64;'.repeat(2e4),
    '1 '.repeat(5e4),
    '+1('.repeat(3e4),
    '"'.repeat(1e5),
    '{"a":'.repeat(2e4),
    'eyJ'.repeat(3e4),
    '://a:'.repeat(2e4),
  ];
  for (const text of hard) expect(make().text(text).length).toBeGreaterThan(0);
});
