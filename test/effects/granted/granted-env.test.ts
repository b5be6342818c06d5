import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantedEnv } from '../../../src/effects/granted/granted-env.ts';
import { TextTail } from '../../../src/effects/granted/text-tail.ts';

const ENV = { API_KEY: 'sk-0123456789abcdef', REGION: 'eu-1', HOME: '/home/ada', OTHER: 'not-for-programs' };

test('programs see granted variables, and their values are taken out of what they say', () => {
  const { variables, scrub } = grantedEnv(ENV, ['API_KEY', 'REGION', 'HOME']);
  expect(variables).toEqual({ API_KEY: ENV.API_KEY, REGION: 'eu-1', HOME: '/home/ada' });
  const said = `Bearer ${ENV.API_KEY} in eu-1, kept in /home/ada; ${ENV.OTHER}`;
  expect(scrub(said)).toBe('Bearer [secret API_KEY] in eu-1, kept in /home/ada; not-for-programs');
  expect(grantedEnv(ENV, true).scrub(ENV.OTHER)).toBe('[secret OTHER]');
  expect(grantedEnv(ENV, false)).toMatchObject({ variables: {} });
});

test('a key of several lines is taken out line by line', () => {
  const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----';
  const { scrub } = grantedEnv({ CERTIFICATE: key }, ['CERTIFICATE']);
  expect(scrub(key)).toBe('[secret CERTIFICATE]');
  expect(key.split('\n').map(scrub)).toEqual(Array.from({ length: 4 }, () => '[secret CERTIFICATE]'));
});

test('the last lines of a process hold no half of a key, wherever it stands', () => {
  const { scrub } = grantedEnv(ENV, ['API_KEY']);
  fc.assert(
    fc.property(fc.nat(17_000), fc.nat(9000), fc.nat(18), (before, after, cut) => {
      const tail = new TextTail();
      const text = `${'x'.repeat(before)}${ENV.API_KEY}${'y'.repeat(after)}`;
      tail.add(Buffer.from(text.slice(0, before + cut)));
      tail.add(Buffer.from(text.slice(before + cut)));
      expect(tail.text(scrub)).not.toMatch(/0123|cdef/);
    }),
  );
});

test('a path that is there is no secret', () => {
  const { scrub } = grantedEnv({ ROOT: import.meta.dirname, KEY: '/abcdefgh' }, true);
  expect(scrub(`${import.meta.dirname}/x needs /abcdefgh`)).toBe(`${import.meta.dirname}/x needs [secret KEY]`);
});
