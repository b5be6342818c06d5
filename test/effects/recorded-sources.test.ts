import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSource } from '../../src/effects/recorded-sources.ts';

test('the digest of a file does not depend on what was read of it before, nor in which order', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-sources-'));
  const texts = ['first '.repeat(50), 'second '.repeat(60)];
  for (const [at, text] of texts.entries()) writeFileSync(path.join(folder, `${at}.txt`), text);
  const reads = fc.array(fc.tuple(fc.nat(1), fc.nat(300), fc.nat(300)), { maxLength: 12 });
  try {
    fc.assert(
      fc.property(reads, (asked) => {
        const source = openSource(folder);
        for (const [file, a, b] of asked) source.read(file, Math.min(a, b), Math.max(a, b));
        const digests = texts.map((_, at) => {
          const steps = source.digest(at);
          let step = steps.next();
          while (step.done !== true) step = steps.next();
          return step.value;
        });
        source.close();
        expect(digests).toEqual(texts.map((text) => createHash('sha256').update(text).digest('hex')));
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
