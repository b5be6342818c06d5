import { expect, test } from 'vitest';
import { workerFlags } from '../../../src/pool/slots/worker-flags.ts';

test('workers start with the flags that loading needs and with no others', () => {
  expect(workerFlags(['--expose-gc', '--import', 'tsx', '--max-old-space-size=4096', '-r', './hook.cjs'])).toEqual([
    '--import',
    'tsx',
    '-r',
    './hook.cjs',
  ]);
  expect(workerFlags(['--import=tsx', '--enable-source-maps', '--input-type=module', '--inspect=0'])).toEqual([
    '--import=tsx',
    '--enable-source-maps',
  ]);
  expect(workerFlags(['--import'])).toEqual([]);
});
