import { expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { admitRun } from '../../src/suite/admit-run.ts';
import { resolvePermissions } from '../../src/settings/permission-options.ts';

const cwd = '/work-of-a-worker';

test('a worker grants nothing that its own user has not granted', async () => {
  const asked = ['--allow-net=api.example', '--allow-read=data'];
  expect(await admitted(asked, {})).toEqual({
    refused: 'it needs --allow-net=api.example --allow-read=data, which this worker does not grant',
  });
  expect(await admitted(asked, { net: ['api.example'], read: ['elsewhere'] })).toEqual({
    refused: 'it needs --allow-read=data, which this worker does not grant',
  });
  // Everything means public hosts only, while a host that is named may lead anywhere.
  expect(await admitted(asked, { net: true, read: true })).toHaveProperty('refused');
});

test('a worker does what both users allow, seen from its own folder', async () => {
  const asked = ['--allow-net=api.example', '--allow-read=data/inner'];
  const admission = await admitted(asked, { net: ['api.example', 'other'], read: ['data'], run: true });
  const permissions = { net: ['api.example'], run: false, env: false, read: [`${cwd}/data/inner`], write: false };
  expect(admission).toMatchObject({ base: { granted: { permissions, root: cwd } } });
});

test('a run that stays in its plan needs no grants, and gets none', async () => {
  const admission = await admitted(['--allow-run'], { run: true }, { asksWorld: false });
  expect(admission).toEqual({ base: { plugins: [], hostFunctions: [] } });
});

test('another version of passk is refused', async () => {
  expect(await admitted([], {}, { passk: '0.0.1' })).toEqual({ refused: `it is of passk 0.0.1, this is ${VERSION}` });
});

function admitted(
  grants: readonly string[],
  own: Parameters<typeof resolvePermissions>[0],
  { asksWorld = true, passk = VERSION } = {},
): ReturnType<typeof admitRun> {
  const identity = { passk, seed: 0, bail: 0, plugins: [], scenarios: [], ...(grants.length > 0 && { grants }) };
  const run = { identity, digest: '', root: '.', asksWorld, lockMs: 1000 };
  return admitRun(run, { cwd, plugins: [], permissions: resolvePermissions(own, cwd) });
}
