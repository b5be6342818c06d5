import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPolicy } from '../../src/policy/create-policy.ts';
import { asIs, aPolicy } from './a-policy.ts';

const piece = fc.constantFrom(
  'safe',
  'data',
  '..',
  '.',
  '',
  'etc',
  '...',
  '..safe',
  '%2e%2e',
  '\\..',
  'safe.',
  ' ',
  'ſafe',
);
const path = fc
  .tuple(fc.constantFrom('/', '', '/safe/data/', 'safe/'), fc.array(piece, { maxLength: 7 }))
  .map(([start, pieces]) => start + pieces.join('/'));

test('an allowed path lies inside an allowed prefix, as the operating system reads it', () => {
  const gate = createPolicy(aPolicy({ fs: { read: ['/safe/data/**', 'safe/*', '/etc/da*'] } }), { mcpServers: [] });
  fc.assert(
    fc.property(path, (text) => {
      const denial = gate.decide({ port: 'file', op: 'read', as: 'read_file', path: text }, asIs);
      const real = posix.resolve('/work', text);
      const inside = /^\/safe\/data(\/|$)|^\/work\/safe(\/|$)|^\/etc\/da/.test(real);
      if (denial === null) expect(inside).toBe(true);
      // And nothing inside is denied, unless it got there by leaving the workspace.
      else if (inside && !text.includes('..')) expect(text).toBe('');
    }),
    { numRuns: 2000 },
  );
});
