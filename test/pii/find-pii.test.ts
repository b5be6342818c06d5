import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findPii } from '../../src/pii/find-pii.ts';

const HITS: readonly (readonly [what: string, text: string, around?: readonly [string, string]])[] = [
  ['an e-mail address', 'a@b.co'],
  ['an e-mail address', 'Jane.Doe+news@mail.example.com', ['Write to <', '>.']],
  ['an e-mail address', 'jane@müller.de'],
  ['an e-mail address', 'pass@db.internal', ['postgres://user:', '/x']],
  ['a phone number', '(415) 555-2671'],
  ['a phone number', '415-555-2671', ['call.', '!']],
  ['a phone number', '415.555.2671'],
  ['a phone number', '415 555 2671'],
  ['a phone number', '1-415-555-2671'],
  ['a phone number', '+1 (415) 555-2671'],
  ['a phone number', '+14155552671'],
  ['a phone number', '+44 20 7946 0958'],
  ['a phone number', '+44 (0)20 7946 0958'],
  ['a phone number', '+49-30-901820'],
  ['a social security number', '123-45-6789'],
  ['a social security number', '123 45 6789'],
  ['a social security number', '123.45.6789'],
  ['a social security number', '899-01-0001'],
  ['a card number', '4111 1111 1111 1111'],
  ['a card number', '4111-1111-1111-1111'],
  ['a card number', '4111111111111111'],
  ['a card number', '378282246310005'],
  ['a card number', '3782 822463 10005'],
  ['a card number', '5555 5555 5555 4444'],
  ['a card number', '2223003122003222'],
  ['a card number', '6011111111111117'],
  ['a card number', '30569309025904'],
  ['a card number', '3530111333300000'],
  ['a card number', '4222222222222'],
  ['an IBAN', 'DE89 3704 0044 0532 0130 00'],
  ['an IBAN', 'DE89370400440532013000', ['to ', ' EUR 5']],
  ['an IBAN', 'GB82-WEST-1234-5698-7654-32'],
  ['an IBAN', 'fr1420041010050500013m02606'],
  ['an IBAN', 'NO9386011117947'],
  ['an IBAN', 'MT84MALT011000012345MTLCAST001S'],
  ['an IPv4 address', '203.0.113.7'],
  ['an IPv4 address', '192.168.1.100', ['http://', ':8080/a']],
  ['an IPv4 address', '10.20.30.40', ['from ', '.']],
  ['an IPv4 address', '255.255.255.254'],
  ['an IPv4 address', '3.14.15.92'],
  ['an IPv4 address', '8.8.8.8', ['IP ', '.']],
  ['an IPv4 address', '1.1.1.1', ['the address is ', '']],
  ['an IPv4 address', '9.9.9.9', ['http://', '/dns-query']],
  ['an IPv6 address', '2001:db8:85a3::8a2e:370:7334'],
  ['an IPv6 address', '2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
  ['an IPv6 address', 'fe80::1', ['at ', ': it']],
  ['an IPv6 address', 'FD12:3456:789a::1', ['[', ']:80']],
  ['an IPv6 address', '2001:db8::'],
];

test.each(HITS)('%s is found: %s', (what, text, [before, after] = ['It is ', ', they say']) => {
  expect(findPii(`${before}${text}${after}`)).toEqual({ what, text });
});

test.each([
  // Of mail.
  'a@b.c',
  'root@localhost',
  'lodash@4.17.21',
  '@jane on GitHub',
  'icon@2x.png',
  'a @ b.com',
  // Of phones.
  '4155552671',
  '1700000000',
  '1700000000000',
  '115-555-2671',
  '415-155-2671',
  '2024-05-06 07:08:09',
  '2024-05-06T07:08:09+0100',
  '+12000 users',
  '+5 points',
  '1+14155552671',
  '415-555-26711',
  '9415-555-2671',
  // Of social security.
  '123456789',
  '000-12-3456',
  '666-12-3456',
  '900-12-3456',
  '123-00-4567',
  '123-45-0000',
  '12345-6789',
  '123-45-67890',
  '123-45 6789',
  '4123-45-6789',
  // Of cards.
  '4111 1111 1111 1112',
  '4111 1111-1111 1111',
  '1111111111111117',
  'order 4111111111111111x',
  '0.4111111111111111',
  '41111111111111111111',
  // Of accounts.
  'DE88 3704 0044 0532 0130 00',
  'DE89 3704 0044 0532 0130',
  'XX89 3704 0044 0532 0130 00',
  'DE89370400440532013000X',
  // Of machines.
  '999.999.999.999',
  '256.1.1.10',
  '1.2.3.4',
  '8.8.8.8',
  'chapter 8.8.8.8',
  '127.0.0.1',
  '0.0.0.0',
  '192.168.01.10',
  '10.20.30.40.50',
  'v10.20.30.40',
  'version 10.20.30.40',
  'Chrome/120.0.60.99',
  'release: 12.10.4.18',
  '::1',
  '::',
  '12:34:56',
  'aa:bb:cc:dd:ee:ff',
  'dead::beef',
  'std::vector',
  '2001:db8::1::2',
  '2001:1:2:3:4:5:6:7:8',
  'fe80:',
  // Of nobody.
  'The price is $1,234,567.89 on 05/06/2024 (ref. 20240506-0001).',
  'π is 3.14159265358979',
  '',
])('%j is nobody: nothing is found', (text) => {
  expect(findPii(text)).toBeNull();
  expect(findPii(`It is ${text}, they say`)).toBeNull();
});

test('a card number with one digit changed, or two neighbours swapped, is none', () => {
  const digit = fc.nat(15);
  fc.assert(
    fc.property(digit, fc.integer({ min: 1, max: 9 }), (at, by) => {
      const card = '4012888888881881';
      const changed = (Number(card[at]) + by) % 10;
      expect(findPii(card.slice(0, at) + changed + card.slice(at + 1))).toBeNull();
    }),
  );
});

test('an IBAN with one character changed is none', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 21 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const iban = 'DE89370400440532013000';
      const changed = (Number(iban[at]) + by) % 10;
      expect(findPii(iban.slice(0, at) + changed + iban.slice(at + 1))?.what).not.toBe('an IBAN');
    }),
  );
});

const LONG = 1 << 20;

test.each(['a', '1', '1 ', '4111 ', '@', 'a@', 'a.', '1.', ':', 'f:', '+1', '+1 ', 'DE89', 'DE89 ', '-', '12-', '٣'])(
  'a megabyte of %j is looked through',
  (part) => {
    expect(findPii(part.repeat(LONG / part.length))).toBeNull();
  },
);
