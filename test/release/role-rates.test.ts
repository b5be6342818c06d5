import { expect, test } from 'vitest';
import { withRoleTables } from '../../src/release/role-rates.ts';

test('a role costs what its model does, unless it has a rate of its own; the price of all others is not taken for it', () => {
  const models = { 'gpt-4o-2024-08-06': { input: 1 }, '*': { input: 9 }, writer: { input: 5 } };
  const roles = [
    { role: 'default', model: 'gpt-4o-2024-08-06' },
    { role: 'writer', model: 'gpt-4o-2024-08-06' },
    { role: 'judge', model: 'unpriced-2026-01-01' },
  ];
  expect(withRoleTables({ id: 'a', models }, roles)).toEqual({
    id: 'a',
    models: { ...models, default: { input: 1 } },
  });
  expect(withRoleTables({ id: 'a' }, roles)).toEqual({ id: 'a' });
});
