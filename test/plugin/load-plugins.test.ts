import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { loadPlugins } from '../../src/plugin/load-plugins.ts';

test('a plug-in whose fields throw where they are read is an error that names its module', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-plugins-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'early.mjs');
  writeFileSync(file, `export const one = { kind: 'subject', get type() { throw new Error('not yet'); } };`);
  await expect(loadPlugins([pathToFileURL(file).href])).rejects.toMatchObject({
    code: 'PLUGIN',
    message: expect.stringMatching(/^Plug-in .*early\.mjs cannot be read: not yet$/),
  });
});
