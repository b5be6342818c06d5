import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { aLine } from '../canary/a-canary.ts';
import { aFolder, PASSK } from '../cli/run-passk.ts';
import { hasStrace, trace } from './system-calls.ts';

const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('strace');

const CONFIG = `candidate = "2"
tier = "dev"
[[stages]]
percent = 0
min_outcomes = 100
max_outcomes = 500
min_pass_rate = 0.9
max_error_rate = 0.02
`;

describe.skipIf(!hasStrace() && !required)('a canary, seen from outside (needs strace)', () => {
  test('reaches no network, starts nothing, and writes its state and the page that was asked for', async () => {
    const [cwd, scratch] = [aFolder(), aFolder()];
    const lines = Array.from({ length: 150 }, (_, i) =>
      aLine(i, { violation: i === 149 ? 'http://127.0.0.1:1/' : null }),
    );
    writeFileSync(path.join(cwd, 'canary.toml'), CONFIG);
    writeFileSync(path.join(cwd, 'a.jsonl'), lines.join('\n'));
    const step = await trace([PASSK, 'canary', 'step', 'canary.toml', 'a.jsonl'], { cwd, scratch });
    const status = await trace([PASSK, 'canary', 'status', 'canary.toml'], { cwd, scratch });
    const args = ['canary', 'rehearse', 'canary.toml', '--rollouts', '5', '--page', 'r.html'];
    const rehearse = await trace([PASSK, ...args], { cwd, scratch });
    expect([step.status, status.status, rehearse.status]).toEqual([1, 1, 0]);
    for (const { network, started } of [step, status, rehearse]) expect([network, started]).toEqual([[], []]);
    // Drafts have names of chance; code caches lie elsewhere.
    const written = [step, status, rehearse].map(({ changed }) =>
      [
        ...new Set(
          [...changed]
            .filter((file) => path.resolve(cwd, file).startsWith(`${cwd}/`))
            .map((file) => path.basename(file).replace(/\.[0-9a-f-]{36}\.tmp$/, '')),
        ),
      ].sort(),
    );
    expect(written).toEqual([
      ['canary.state.json', 'canary.state.json.journal', 'canary.state.json.journal.lock'],
      [],
      ['r.html'],
    ]);
  });
});
