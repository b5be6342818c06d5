import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contentsOf } from '../../src/cli/watch-contents.ts';
import { aShopContract } from '../suite/shop-contract.ts';
import { aFolder, aGreeting } from './run-passk.ts';

test('any change of a contract is a change of its file, and of no other', { timeout: 60_000 }, async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'greeting.toml'), aGreeting());
  const write = (text: string): void => writeFileSync(path.join(cwd, 'shop.toml'), text);
  const seen = new Set<string>();
  const changes = [
    aShopContract(),
    aShopContract({ minPassRate: 0.7 }),
    aShopContract().replace('severity = "high"', 'severity = "low"'),
    // The first part of the contract only, and the last one only.
    aShopContract().replace('name = "calm"', 'name = "quiet"'),
    aShopContract().replace('probability = 0.2', 'probability = 0.3'),
    aShopContract().replace('min_pass_rate', 'min_pass_rat'),
  ];
  const greetings = new Set<string | undefined>();
  for (const text of changes) {
    write(text);
    const contents = await contentsOf({ cwd });
    expect([...contents.keys()]).toEqual(['greeting.toml', 'shop.toml']);
    seen.add(contents.get('shop.toml') ?? '');
    greetings.add(contents.get('greeting.toml'));
  }
  expect([seen.size, greetings.size]).toEqual([changes.length, 1]);
});
