import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { aLine } from '../canary/a-canary.ts';
import { aFolder, PASSK } from '../cli/run-passk.ts';
import { aGoldenSet } from '../golden/a-golden-set.ts';
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

  test('D-05: 100 shadows of an agent that wants to write what production never wrote: no write, 100 recorded outcomes', async () => {
    const [cwd, scratch] = [aGoldenSet(100, []), aFolder()];
    const pays = `const call = (name, args) => tools.find((tool) => tool.name === name).execute(args);
    call('find', { order });
    try { call('pay', { order: 'R-1000' }); } catch {}
    return 'Paid.';`;
    const agent = `export default ({ tools }) => (message) => { const [order] = /R-\\d+/.exec(message); ${pays} };`;
    writeFileSync(path.join(cwd, 'next.mjs'), agent);
    writeFileSync(path.join(cwd, 'canary.toml'), CONFIG);
    const args = ['canary', 'shadow', 'canary.toml', 'set', '--agents', 'next.toml', '--allow-run=./next.mjs'];
    const more = ['--out', 'shadow.jsonl', '--read-only', 'find', '--workers', '1', '--no-config', '--json'];
    const shadow = await trace([PASSK, ...args, ...more], { cwd, scratch });
    expect(shadow.status).toBe(0);
    expect(JSON.parse(shadow.stdout)).toMatchObject({
      writesRefused: { count: 100, of: 100 },
      sameCalls: { count: 0 },
    });
    const lines = readFileSync(path.join(cwd, 'shadow.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('write_refused: The tool \\"pay\\"'))).toHaveLength(100);
    expect([shadow.network, shadow.started]).toEqual([[], []]);
    const written = [...shadow.changed]
      .map((file) => path.resolve(cwd, file))
      .filter((file) => file.startsWith(`${cwd}/`));
    const names = written.map((file) => path.basename(file).replace(/\.[0-9a-f-]{36}\.tmp$/, ''));
    expect([...new Set(names)]).toEqual(['shadow.jsonl']);
    rmSync(cwd, { recursive: true, force: true });
  });
});
