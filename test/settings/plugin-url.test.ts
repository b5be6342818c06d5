import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { pluginUrl } from '../../src/settings/plugin-url.ts';

const cwd = path.resolve('/suite');

test.each(['refund.js', 'refund.mjs', 'plugins/refund.ts', 'refund.mts', './refund.cts'])(
  '%s is a file of the folder where passk runs',
  (word) => {
    expect(pluginUrl(word, cwd)).toBe(pathToFileURL(path.join(cwd, word)).href);
  },
);

test('any other word is a package', () => {
  expect(['passk-refund', '@desk/refund', '@desk/refund/plugin'].map((word) => pluginUrl(word, cwd))).toEqual([
    'passk-refund',
    '@desk/refund',
    '@desk/refund/plugin',
  ]);
});
