import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkSupport } from '../../src/faithfulness/check-support.ts';

/** What the claim says, what the context says, and whether that supports it. */
const CASES: readonly (readonly [claim: string, context: string, supported: boolean | null])[] = [
  // Numbers
  ['It is 1,234.5.', '1.234,5', true],
  ['It is 1 234,5.', "1'234.5", true],
  ['It is 1,234.', '1.234', true],
  ['It is 1,234,567.', '12,34,567', true],
  ['It is 1.2 million.', '1,200,000', true],
  ['Es sind 1,2 Mio. Stück.', '1200000', true],
  ['It is 1.2 million.', '1,234,567', false],
  ['It is about 1.2 million.', '1,234,567', true],
  ['More than 9,000 came.', '9,412', true],
  ['More than 9,000 came.', '8,999', false],
  ['Almost 48,000 came.', '47,912', true],
  ['There are twenty-five.', '25', true],
  ['Es sind fünfundzwanzig.', '25', true],
  ['Il y en a quatre-vingt-douze.', '92', true],
  ['There are two hundred and fifty thousand.', '250,000', true],
  ['There are 12.', 'a dozen, or twelve', true],
  ['It is −5.', '5', false],
  ['It was 5–10.', '5 to 10', true],
  ['A share of 3/4.', '0.75', true],
  // Quantities
  ['It is 5 km away.', '5,000 m', true],
  ['It is 5 km away.', '5 miles', false],
  ['It is 3.1 miles away.', '5 km', true],
  ['It takes 1 h and 30 min.', '90 minutes', true],
  ['It takes 90 minutes.', '1.5 hours', true],
  ['It costs €1,234.50.', '1.234,50 EUR', true],
  ['It costs $5.', '5 €', false],
  ['It costs $5.', '{"price": 5}', true],
  ['It costs $5m.', '5 million dollars', true],
  ['It costs $12 per day.', '$12 per month', false],
  ['It is 45 %.', '{"share": 0.45}', true],
  ['It is 45 percent.', '45 %', true],
  ['It is 77 °F.', '25 degrees Celsius', true],
  ['A 30-day trial.', 'a trial of 30 days', true],
  // Dates and times
  ['On Jan 15, 1967.', 'January 15, 1967', true],
  ['On 15 January 1967.', '1967-01-15T09:30:00Z', true],
  ['Am 15. Januar 1967.', '15.01.1967', true],
  ['Le 1er mars 2020.', '2020-03-01', true],
  ['On 01/02/2024.', '1 February 2024', true],
  ['On 01/02/2024.', 'January 2, 2024', true],
  ['On 13/02/2024.', 'February 13, 2024', true],
  ['In January 1967.', '15.01.67', true],
  ['On Monday.', '2024-01-15', true],
  ['On Tuesday.', '2024-01-15', false],
  ['On 15 January 1967.', 'January 1967', false],
  ['In 1967.', 'Jan 15, 1967', true],
  ['At 2:30 pm.', '14:30', true],
  ['At 2:30.', '14.30 Uhr', true],
  ['À 14h30.', '2:30 p.m.', true],
  ['At 2:30 am.', '14:30', false],
  // Quotations, names and ids
  ['It says “Cash  only”.', 'cash only, please', true],
  ['It says "cash ... please".', 'Cash only, please', true],
  ['It says "cards only".', 'Cash only; cards: no', false],
  ['Use `--force`.', 'with --force', true],
  ['He met Marie Curie.', 'Marie Skłodowska Curie', true],
  ['He met Marie Curie.', 'Curie, Marie', true],
  ['He met Marie Curie.', 'Marie came, and much later, with all of her friends, Pierre Curie', false],
  ['He met Dr. Renée Blanc.', 'Renee Blanc', true],
  ['It is from the WHO.', 'World Health Organization', true],
  ['It is from the World Health Organization.', 'WHO', true],
  ['See SKU-123.', 'sku_123', true],
  ['See SKU-123.', 'SKU 123', true],
  ['See SKU-123.', 'SKU-132, 123', false],
  ['See #4711.', 'ticket 4711', true],
  ['Write to a.b@c.example.', 'mailto:A.B@c.example', true],
  ['Read policy.md.', 'docs/policy.md', true],
  ['Version v2.3 is out.', 'v2.3', true],
  ['Account 007.', '7', false],
  // Nothing that can be looked for
  ['Shipping is free.', 'Shipping costs extra.', null],
  ['One of them is late.', '', null],
  ['Die Lieferung ist kostenlos.', '', null],
];

test.each(CASES)('%s | %s', (claim, context, supported) => {
  expect(checkSupport(claim, [context]).claims.map((one) => one.supported)).toEqual([supported]);
});

test('facts that are not supported are named, and the score leaves out what nobody can tell', () => {
  expect(checkSupport('Mia paid $5. Thank you! It left on May 3.', ['Paid: $5 on 4 May'])).toEqual({
    method: 'heuristic',
    claims: [
      { text: 'Mia paid $5.', supported: true, facts: [{ kind: 'quantity', text: '$5', supported: true }] },
      { text: 'Thank you!', supported: null, facts: [] },
      { text: 'It left on May 3.', supported: false, facts: [{ kind: 'date', text: 'May 3', supported: false }] },
    ],
    supported: 1,
    unsupported: 1,
    unchecked: 1,
    score: 0.5,
  });
});

test('nothing spans two contexts', () => {
  expect(checkSupport('He met Marie Curie.', ['Marie', 'Curie']).score).toBe(0);
});

test('a number is supported in the notation of another country, and the next number is not', () => {
  const locales = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN'];
  const amount = fc.integer({ min: 10_000, max: 99_999_999 }).filter((cents) => cents % 10 !== 0);
  fc.assert(
    fc.property(amount, fc.constantFrom(...locales), fc.constantFrom(...locales), (cents, one, other) => {
      const shown = (value: number, locale: string): string =>
        new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(value / 100);
      const score = (value: number): number | null =>
        checkSupport(`It costs EUR ${shown(value, one)}.`, [`${shown(cents, other)} €`]).score;
      expect([score(cents), score(cents + 1)]).toEqual([1, 0]);
    }),
  );
});

test('a date is supported in the notation of another country, and the next day is not', () => {
  const days = fc.integer({ min: 0, max: 25_000 }).map((day) => day * 86_400_000);
  const locales = fc.constantFrom('en-US', 'en-GB', 'de-DE', 'fr-FR');
  const styles = fc.constantFrom('long' as const, 'medium' as const);
  fc.assert(
    fc.property(days, locales, locales, styles, (day, one, other, dateStyle) => {
      const shown = (time: number, locale: string): string =>
        new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(time);
      const score = (time: number): number | null =>
        checkSupport(`That is ${shown(time, one)}`, [shown(day, other)]).score;
      expect([score(day), score(day + 86_400_000)]).toEqual([1, 0]);
    }),
  );
});
