import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { aWorld } from './a-world.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'passk-links-')));
afterAll(() => rmSync(top, { recursive: true }));

// Deeper than any path below climbs: beside `top` other programs keep files, with any name.
const folder = join(top, ...'0123456789');

const links = { 'a/up': '..', 'a/b/out': '/', 'a/b/self': '../b', c: 'a/b', 'a/loop': 'loop', 'a/gone': 'nowhere' };

mkdirSync(join(folder, 'a/b'), { recursive: true });
writeFileSync(join(folder, 'a/b/file'), 'text');
// An absolute link stays inside the folder, or the test would walk the machine.
for (const [at, to] of Object.entries(links)) symlinkSync(to === '/' ? folder : to, join(folder, at));

const world = aWorld({
  files: {
    [`${folder}/a/b/file`]: { kind: 'file', content: 'text' },
    ...Object.fromEntries(
      Object.entries(links).map(([at, to]) => [`${folder}/${at}`, { kind: 'link', target: to === '/' ? folder : to }]),
    ),
  },
});

const name = fc.constantFrom('a', 'b', 'c', 'up', 'out', 'self', 'loop', 'gone', 'file', '..', '.', '');

test('paths with links lead where the operating system says they lead', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), (names) => {
      const path = `${folder}/${names.join('/')}`;
      const real = attempt(() => realpathSync.native(path));
      if (real === null) return;
      expect(world.resolve(path)).toBe(real);
      const content = attempt(() => readFileSync(path, 'utf8'));
      if (content !== null) expect(world.file(path)?.content).toBe(content);
    }),
    { numRuns: 500 },
  );
});

function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
