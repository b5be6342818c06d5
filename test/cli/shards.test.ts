import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameReader } from '../../src/records/frame.ts';
import { parseShard } from '../../src/cli/parse-shard.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';
import { afterWork } from '../support/processes.ts';

/** A JSON report without what may differ between equal runs. */
function untimed(json: string): unknown {
  const { timing: _, ...report } = JSON.parse(json) as Record<string, unknown>;
  return report;
}

describe('--shard and merge', () => {
  test('give the report and the exit code of one run, and need no scenario files to merge', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 9000 }));
    writeFileSync(path.join(cwd, 'b.toml'), aGreeting({ name: 'other', trials: 5000, lastNode: 'greet' }));
    const whole = await runPassk(['run', '.', '--json', '--seed', '3'], { cwd });
    const elsewhere = aFolder();
    for (const index of [1, 2]) {
      const out = path.join(elsewhere, `${index}.shard`);
      const ran = await runPassk(['run', '.', '--seed', '3', '--shard', `${index}/2`, '--out', out], { cwd });
      expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
      expect(ran.stdout).toMatch(new RegExp(`^Shard ${index} of 2: .+ of its .+ trials run`));
    }
    const merged = await runPassk(['merge', '2.shard', '1.shard', '--json'], { cwd: elsewhere });
    expect({ status: merged.status, stderr: merged.stderr, report: untimed(merged.stdout) }).toEqual({
      status: whole.status,
      stderr: '',
      report: untimed(whole.stdout),
    });
    expect(readdirSync(elsewhere).sort()).toEqual(['1.shard', '2.shard']);
  });

  test('have no page', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
    const { status, stderr } = await runPassk(['run', '.', '--shard', '1/2', '--out', '1.shard', '--open'], { cwd });
    expect([status, stderr]).toEqual([
      2,
      'passk: --open shows the report of a whole run; a part has none.\npassk merge with --reporter json:report.json makes the report, and passk open shows it as a page.\n',
    ]);
  });

  test('end with 2 for a missing shard, and with 3 where what is there does not suffice', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 9000 }));
    await runPassk(['run', 'a.toml', '--shard', '1/2', '--out', '1.shard'], { cwd });
    const missing = await runPassk(['merge', '1.shard'], { cwd });
    expect({ status: missing.status, stdout: missing.stdout, stderr: missing.stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'passk: Shard 2 of 2 is missing.\nName the files of all shards, or report what is there with --partial.\n',
    });
    const partial = await runPassk(['merge', '1.shard', '--partial'], { cwd });
    expect({ status: partial.status, stderr: partial.stderr }).toEqual({
      status: 3,
      stderr: 'passk: Shard 2 of 2 is missing.\n',
    });
  });

  test('end with 4 when one shard came with two results', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
    await runPassk(['run', 'a.toml', '--shard', '1/1', '--out', '1.shard'], { cwd });
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ lastNode: 'greet' }));
    await runPassk(['run', 'a.toml', '--shard', '1/1', '--out', 'failing.shard'], { cwd });
    const framesOf = (name: string): Record<string, unknown>[] =>
      new FrameReader().push(readFileSync(path.join(cwd, name))) as Record<string, unknown>[];
    const failing = framesOf('failing.shard').find(({ kind }) => kind === 'result');
    const forged = framesOf('1.shard').map((frame) => encodeFrame(frame['kind'] === 'result' ? failing : frame));
    writeFileSync(path.join(cwd, '2.shard'), Buffer.concat(forged));
    const { status, stderr } = await runPassk(['merge', '1.shard', '2.shard'], { cwd });
    expect(status).toBe(4);
    expect(stderr).toContain('Shard 1 of 1 came twice with different results of "greeting": 1.shard and 2.shard');
  });

  test.each([
    [['--shard', '1/2'], '--shard needs --out FILE.'],
    [['--out', 'x.shard'], '--out needs --shard i/n.'],
    [['--shard', '3/2', '--out', 'x.shard'], '--shard 3/2 names no part of a run.'],
    [['--shard', 'auto', '--out', 'x.shard'], '--shard auto found none of the variables'],
    [['--shard', '1/2', '--out', 'x.shard', '--json'], '--json says something of a whole run'],
    [['--shard', '1/2', '--out', 'x.shard', '--min-pass-rate', '1'], '--min-pass-rate says something of a whole run'],
    [['--shard', '1/2', '--out', 'x.shard', '--drift', 'strict'], '--drift says something of a whole run'],
    [['--shard', '1/2', '--out', 'a.toml/x.shard'], 'The shard cannot be written to a.toml/x.shard'],
  ])('refuse %j before a trial has run', async (flags, message) => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 1_000_000_000 }));
    const { status, stdout, stderr } = await runPassk(['run', 'a.toml', ...flags], { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('leave a shard that says so when it is interrupted, which merges only on request', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 4_000_000_000 }));
    const args = ['run', 'a.toml', '--shard', '1/1', '--out', 'x.shard', '--workers', '1'];
    const stopped = await runPassk(args, {
      cwd,
      meanwhile: (child) => afterWork(child.pid, 700, () => child.kill('SIGINT')),
    });
    expect(stopped.status).toBe(130);
    expect(stopped.stdout).toContain('It stopped before its end');
    const refused = await runPassk(['merge', 'x.shard'], { cwd });
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('Shard 1 of 1 (x.shard) stopped before all its trials had run.');
    const { status, stdout } = await runPassk(['merge', 'x.shard', '--partial', '--json'], { cwd });
    expect({ status, partial: (untimed(stdout) as { partial: boolean }).partial }).toEqual({
      status: 3,
      partial: true,
    });
  });

  test('say which variables numbered the part', async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
    const env = { JOB_COMPLETION_INDEX: '0', JOB_COMPLETIONS: '2' };
    const { status, stderr } = await runPassk(['a.toml', '--shard', 'auto', '--out', 'x.shard'], { cwd, env });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'passk: this is shard 1 of 2, say JOB_COMPLETION_INDEX and JOB_COMPLETIONS.\n',
    });
    expect(readFileSync(path.join(cwd, 'x.shard')).length).toBeGreaterThan(100);
  });
});

describe('--shard auto', () => {
  test.each([
    [{ JOB_COMPLETION_INDEX: '2', JOB_COUNT: '3' }, 3, 3, 'JOB_COMPLETION_INDEX and JOB_COUNT'],
    [
      { AWS_BATCH_JOB_ARRAY_INDEX: '0', AWS_BATCH_JOB_ARRAY_SIZE: '4' },
      1,
      4,
      'AWS_BATCH_JOB_ARRAY_INDEX and AWS_BATCH_JOB_ARRAY_SIZE',
    ],
    [{ CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }, 2, 4, 'CI_NODE_INDEX and CI_NODE_TOTAL'],
    [{ CIRCLE_NODE_INDEX: '2', CIRCLE_NODE_TOTAL: '4' }, 3, 4, 'CIRCLE_NODE_INDEX and CIRCLE_NODE_TOTAL'],
    [
      { BUILDKITE_PARALLEL_JOB: '3', BUILDKITE_PARALLEL_JOB_COUNT: '4' },
      4,
      4,
      'BUILDKITE_PARALLEL_JOB and BUILDKITE_PARALLEL_JOB_COUNT',
    ],
    [
      { CI_NODE_TOTAL: '1', CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '2' },
      1,
      2,
      'CIRCLE_NODE_INDEX and CIRCLE_NODE_TOTAL',
    ],
  ])('reads %j', async (env, index, count, from) => {
    expect(await parseShard('auto', env)).toEqual({ shard: { index, count }, from });
  });

  test.each([
    [{ JOB_COMPLETION_INDEX: '2' }, '--shard auto found JOB_COMPLETION_INDEX, but not how many parts there are.'],
    [
      { JOB_COMPLETION_INDEX: '1', JOB_COMPLETIONS: '3', JOB_COUNT: '4' },
      '--shard auto: JOB_COMPLETIONS and JOB_COUNT differ.',
    ],
    [
      { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '4' },
      '--shard auto: CI_NODE_INDEX=0 and CI_NODE_TOTAL=4 name no part of a run.',
    ],
    [
      { CIRCLE_NODE_INDEX: 'x', CIRCLE_NODE_TOTAL: '4' },
      '--shard auto: CIRCLE_NODE_INDEX=x and CIRCLE_NODE_TOTAL=4 name no part of a run.',
    ],
  ])('refuses %j', async (env, message) => {
    await expect(parseShard('auto', env)).rejects.toMatchObject({ code: 'USAGE', message });
  });
});
