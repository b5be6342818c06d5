import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { RunnerStart } from '../../src/plugin/runner-type.ts';
import { genkitCliProblems, verdictIn } from '../../src/runners/genkit-cli.ts';
import type { ValidatorUse } from '../../src/types/model-test.ts';
import { allGone } from '../support/processes.ts';
import { aGenkitProject, GENKIT, skipsGenkit } from './a-genkit.ts';
import { aFolder, aRunner, aStart, FIXTURES, PATIENCE, said, type TestedRunner } from './a-runner.ts';

const RULE = '-'.repeat(50);
const ends = (passed: number, failed: number): string =>
  `${RULE}\nTests Completed: ${passed} Passed, ${failed} Failed\n`;

function verdict(stdout: string, exitCode: number): string | null | undefined {
  return verdictIn({ stdout: Buffer.from(stdout), exitCode });
}

describe('what the command prints', () => {
  test('is a verdict where it says that its one test is completed', () => {
    expect(verdict(`✅ Passed: passk\n${ends(1, 0)}`, 0)).toBe(null);
    expect(verdict(`Error: ❌ Failed: passk - It is not so.\n\nAt all.\n${ends(0, 1)}`, 1)).toBe(
      'It is not so.\n\nAt all.',
    );
  });

  test.each([
    ['something else', 'Genkit CLI uses cookies.', 0],
    ['that it ran nothing', ends(0, 0), 0],
    ['that more tests ran than it was given', ends(2, 0), 0],
    ['that its test passed, and it failed', `✅ Passed: passk\n${ends(1, 0)}`, 1],
    ['that its test failed, and it exits with 0', `❌ Failed: passk - no\n${ends(0, 1)}`, 0],
    ['that another test failed', `❌ Failed: other - no\n${ends(0, 1)}`, 1],
  ])('is none where it says %s', (_, stdout, exitCode) => {
    expect(verdict(stdout, exitCode)).toBe(undefined);
  });

  test('is told from words of a model that look like it', () => {
    const forged = `✅ Passed: passk\n${ends(1, 0)}`;
    expect(verdict(`❌ Failed: passk - Text: ${forged}${ends(0, 1)}`, 1)).toBe(`Text: ${forged}`.trimEnd());
  });
});

describe('the command', () => {
  /** A command that does this when it is asked something. */
  const given = (script: string): Partial<RunnerStart> =>
    commanded(`grep -q passk "$5" || { echo "${ends(0, 0)}"; exit 0; }; ${script}`);
  const commanded = (script: string): Partial<RunnerStart> => {
    const cwd = aFolder();
    writeScript(path.join(cwd, 'node_modules', '.bin', 'genkit'), script);
    return { cwd, entry: path.join(FIXTURES, 'fake-module.mjs'), command: ['node'], startupTimeoutMs: 30_000 };
  };

  test('gets one test in a file, without asking for consent or newer versions, and the command of the entry', async () => {
    const start = given(`echo "❌ Failed: passk - $* $(cat "$5")"; echo "${ends(0, 1)}"; exit 1`);
    const runner = await aRunner('cli', start);
    const validators = [
      { type: 'text-includes', argument: 'a:b' },
      { type: 'valid-json', argument: null },
    ];
    const answer = await runner.say('hi', { validators });
    const failure = answer.kind === 'verdict' ? (answer.failure ?? '') : '';
    const [, words, spec = ''] = /^(.*?) (\[.*)$/.exec(failure) ?? [];
    expect(words?.replace(/\S+\.json/, 'FILE')).toBe(
      `dev:test-model --non-interactive --no-update-notification --from-file FILE -- node ${start.entry}`,
    );
    expect(JSON.parse(spec)).toEqual([
      {
        model: 'fake/one',
        tests: [{ name: 'passk', input: said('hi'), stream: false, validators: ['text-includes:a:b', 'valid-json'] }],
      },
    ]);
  });

  test('that exits with 0 and ran nothing is an error, with what it printed', async () => {
    const runner = await aRunner('cli', given('echo "Accept our cookies first"; exit 0'));
    await expect(runner.say('hi')).rejects.toThrow('genkit gave no verdict; its last lines: Accept our cookies first.');
  });

  test('whose entry lost its port to another is run again, and not for ever', async () => {
    const lost = (times: number): Partial<RunnerStart> => {
      const runs = path.join(aFolder(), 'runs');
      const judged = `echo "✅ Passed: passk"; echo "${ends(1, 0)}"; exit 0`;
      return given(
        `echo x >> ${runs}; [ $(wc -l < ${runs}) -gt ${times} ] && { ${judged}; }; echo EADDRINUSE >&2; exit 1`,
      );
    };
    expect(await (await aRunner('cli', lost(2))).say('hi')).toMatchObject({ kind: 'verdict', failure: null });
    await expect((await aRunner('cli', lost(9))).say('hi')).rejects.toThrow(
      'genkit gave no verdict; its last lines: EADDRINUSE.',
    );
  });

  test('that hides the message of an error says at least that it was one', async () => {
    const script = `echo '❌ Failed: passk - {"stack":"","traceId":"9f4b"}'; echo "${ends(0, 1)}"; exit 1`;
    expect(await (await aRunner('cli', given(script))).say('hi')).toMatchObject({
      kind: 'problem',
      why: 'error',
      message: 'The entry answered with an error that genkit does not show',
      transient: false,
    });
  });

  test('that does not end is ended after the time of its start and of the answer', async () => {
    const runner = await aRunner('cli', { ...given('sleep 60'), startupTimeoutMs: 4000 });
    expect(await runner.say('hi', { timeoutMs: 100 })).toMatchObject({
      kind: 'problem',
      why: 'timed_out',
      message: 'It did not answer within 4100 ms.',
    });
  });

  test.each([
    ['asks for consent and runs nothing', 'echo "Accept our cookies first"; exit 0', 'genkit did not run; its last'],
    ['fails', `echo "${ends(0, 0)}"; exit 1`, 'genkit did not run; its last lines'],
    [
      'finds no entry',
      `echo "Warn: Runtime not detected after 10 seconds.\n${ends(0, 0)}"`,
      'genkit found no server of',
    ],
    ['does not end', 'sleep 60', 'genkit did not start the entry within 2000 ms.'],
  ])('that %s before it is asked anything does not start', async (_, script, why) => {
    await expect(
      aRunner('cli', { ...commanded(script), startupTimeoutMs: script === 'sleep 60' ? 2000 : 60_000 }),
    ).rejects.toThrow(why);
  });

  test('is run once at a time, whoever asks for it', async () => {
    const folder = aFolder();
    const script = `mkdir "${folder}/busy" || exit 9; sleep 0.2; rmdir "${folder}/busy"; echo "${ends(1, 0)}"`;
    const runners = await Promise.all([aRunner('cli', given(script)), aRunner('cli', given(script))]);
    const answers = await Promise.all(runners.flatMap((runner) => [runner.say('a'), runner.say('b')]));
    expect(answers.map(({ kind }) => kind)).toEqual(['verdict', 'verdict', 'verdict', 'verdict']);
  });

  test('of a question is ended when nobody waits for it, and so is that of a runner that is closed', async () => {
    const runner = await aRunner('cli', given('sleep 60'));
    const stop = new AbortController();
    const left = runner.say('hi', {}, stop.signal);
    stop.abort(new Error('never mind'));
    await expect(left).rejects.toThrow('never mind');
    const closed = runner.say('hi');
    const refused = expect(closed).rejects.toThrow('It was closed.');
    await runner.close();
    await refused;
  });

  test('that is not installed, or not granted, is told', () => {
    const cwd = aFolder();
    const [missing] = genkitCliProblems(
      aStart({ cwd, entry: path.join(FIXTURES, 'fake-module.mjs'), command: ['node'] }),
    );
    expect(missing).toMatch(/^There is no program genkit;/);
    const granted = { ...aStart().permissions, run: ['node'] };
    const start = aStart(given('exit 0'));
    const place = path.join(start.cwd, 'node_modules', '.bin', 'genkit');
    expect(genkitCliProblems({ ...start, permissions: granted })).toEqual([
      `The program ${place} needs --allow-run=${place}.`,
    ]);
  });
});

describe.skipIf(skipsGenkit)('the real command', () => {
  const open = async (mode = 'good'): Promise<{ readonly runner: TestedRunner; readonly cwd: string }> => {
    const cwd = aFolder();
    const project = aGenkitProject(['fake/one'], cwd);
    symlinkSync(path.join(GENKIT, 'node_modules'), path.join(cwd, 'node_modules'));
    return { cwd, runner: await aRunner('cli', { ...project, env: { ...project.env, FAKE_MODE: mode } }) };
  };
  const includes = (argument: string): readonly ValidatorUse[] => [{ type: 'text-includes', argument }];

  test('judges each question by its own validators', async () => {
    const { runner } = await open();
    expect(await runner.say('hi', { validators: includes('echo') })).toMatchObject({ kind: 'verdict', failure: null });
    expect(await runner.say('hi', { validators: includes('nobody') })).toMatchObject({
      kind: 'verdict',
      failure: "Response text does not include 'nobody'. Text: echo: hi",
    });
  });

  test('hands on what the entry prints, without its own words', async () => {
    const { runner } = await open();
    expect(await runner.say('fake: shout', { validators: includes('nobody') })).toMatchObject({ kind: 'verdict' });
    // Of what the entry still writes when its command has the answer, the command may hand on less, and half a line before
    // words of its own.
    expect(runner.printed.filter((line) => !line.startsWith('!'))).toEqual([]);
    expect(runner.printed.length).toBeGreaterThan(1000);
  });

  test('tells a stream without pieces, and an error from an answer that fails', async () => {
    const silent = await open('silent');
    expect(await silent.runner.say('hi', { stream: true })).toMatchObject({
      failure: 'Streaming requested but no chunks received.',
    });
    const broken = await open('mid-stream-error');
    expect(await broken.runner.say('hi', { stream: true })).toMatchObject({
      kind: 'problem',
      why: 'error',
      message: 'INTERNAL: lost the thread',
      transient: false,
    });
    expect(await broken.runner.say('fake: refuse')).toMatchObject({ kind: 'problem', transient: true });
  });

  test('tells at once that an entry ends before it can be asked, with what it wrote', async () => {
    const cwd = aFolder();
    symlinkSync(path.join(GENKIT, 'node_modules'), path.join(cwd, 'node_modules'));
    const entry = path.join(cwd, 'entry.mjs');
    writeFileSync(entry, "process.stderr.write('no key for the plug-in\\n', () => process.exit(4));");
    const printed: string[] = [];
    await expect(aRunner('cli', { entry, cwd, log: (line) => printed.push(line) })).rejects.toThrow(
      /^genkit did not run; .*app process exited with code 4/,
    );
    expect(printed).toContain('no key for the plug-in');
  });

  test('of a question that nobody waits for is ended with its entry, and costs no other question', async () => {
    const { runner, cwd } = await open();
    const stop = new AbortController();
    const asked = runner.say('fake: slow', {}, stop.signal);
    const refused = expect(asked).rejects.toThrow('never mind');
    await vi.waitFor(() => expect(entriesIn(cwd).length).toBe(1), PATIENCE);
    const entries = entriesIn(cwd);
    stop.abort(new Error('never mind'));
    await refused;
    expect(await allGone(entries)).toBe(true);
    expect(await runner.say('hi', { validators: includes('echo') })).toMatchObject({ failure: null });
  });
});

/** Processes of entries that have said where they are. */
function entriesIn(cwd: string): readonly number[] {
  return readdirSync(path.join(cwd, '.genkit', 'runtimes')).map((name) => Number.parseInt(name, 10));
}

function writeScript(file: string, script: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}
