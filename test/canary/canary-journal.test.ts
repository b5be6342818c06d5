import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { canarySetAside, canaryStatus, stepCanary } from '../../src/canary/step-canary.ts';
import { encodeFrame, FrameReader } from '../../src/records/frame.ts';
import { type FileLayer, nodeFiles } from '../../src/records/file-layer.ts';
import { aFolderWith, aLine, NOW } from './a-canary.ts';

const CONFIG = `candidate = "2"
tier = "dev"

[[stages]]
percent = 0
min_outcomes = 100
max_outcomes = 5000
min_pass_rate = 0.9
max_error_rate = 0.02

[[stages]]
percent = 100
min_outcomes = 100
max_outcomes = 5000
min_pass_rate = 0.9
max_error_rate = 0.02
`;

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `${aLine(from + i)}\n`).join('');

const files = (more: Readonly<Record<string, string>> = {}): string =>
  aFolderWith({ 'canary.toml': CONFIG, 'a.jsonl': lines(0, 150), 'b.jsonl': lines(150, 300), ...more });

const step = (cwd: string, outcomes: readonly string[], layer?: FileLayer) =>
  stepCanary({ config: 'canary.toml', outcomes, cwd, now: () => NOW, ...(layer && { files: layer }) });

const status = (cwd: string) => canaryStatus({ config: 'canary.toml', cwd });

describe('a rollout that is kept on disk', () => {
  test('goes on where it ended, and its state file says the same as its journal', async () => {
    const cwd = files();
    expect((await step(cwd, ['a.jsonl'])).report).toMatchObject({ percent: 100, decision: 'promote', counted: 150 });
    const { report, read } = await step(cwd, ['b.jsonl']);
    expect([report.state, report.counted, read]).toEqual(['released', 300, 150]);
    expect(JSON.parse(readFileSync(path.join(cwd, 'canary.state.json'), 'utf8'))).toEqual(report);
    expect(await status(cwd)).toEqual(report);
  });

  test('counts files that are given twice once, and keeps every line that it set aside', async () => {
    const cwd = files({ 'c.jsonl': `${lines(0, 2)}{"id":\n${aLine(9, { version: '3' })}` });
    await step(cwd, ['a.jsonl']);
    const { setAside } = await step(cwd, ['c.jsonl']);
    expect(setAside.map(({ reason, file, line }) => `${file}:${line} ${reason}`)).toEqual([
      'c.jsonl:3 not_json',
      'c.jsonl:4 other_version',
    ]);
    const kept = await canarySetAside({ config: 'canary.toml', cwd });
    const given = readFileSync(path.join(cwd, 'c.jsonl'), 'utf8').trim().split('\n');
    expect(kept.map(({ line }) => line)).toEqual(given.slice(2));
    expect((await status(cwd)).refused).toEqual({ double: 2, not_json: 1, other_version: 1 });
  });

  test('does not grow with files that are given again', async () => {
    const cwd = files();
    const bytes = () => readFileSync(path.join(cwd, 'canary.state.json.journal')).length;
    await step(cwd, ['a.jsonl']);
    const before = bytes();
    await step(cwd, ['a.jsonl']);
    expect(bytes() - before).toBeLessThan(200);
    expect(await status(cwd)).toMatchObject({ counted: 150, refused: { double: 150 } });
  });

  test('survives being killed at every byte that it writes', async () => {
    const cwd = files();
    await step(cwd, ['a.jsonl']);
    const expected = (await step(cwd, ['b.jsonl'])).report;
    const journal = readFileSync(path.join(cwd, 'canary.state.json.journal'));
    const places = [1, 2, 3, 4, 5].map((frame) => frameStarts(journal)[frame] ?? journal.length);
    const cuts = [...places.flatMap((at) => [at - 1, at, at + 1, at + 13]), Math.floor(journal.length / 2)];
    for (const cut of cuts.filter((at) => at >= (places[0] ?? 0) && at <= journal.length)) {
      const again = files();
      writeFileSync(path.join(again, 'canary.state.json.journal'), journal.subarray(0, cut));
      // Whoever starts it again gives it everything again.
      await step(again, ['a.jsonl']);
      await step(again, ['b.jsonl']);
      const { state, counted, stages } = await status(again);
      expect([cut, state, counted, stages.map(({ candidate }) => candidate.passed)]).toEqual([
        cut,
        expected.state,
        expected.counted,
        expected.stages.map(({ candidate }) => candidate.passed),
      ]);
    }
  });

  test('a step that was cut says so, and the next one continues it', async () => {
    const cwd = files();
    const broken: FileLayer = { ...nodeFiles, read: nodeFiles.read };
    await step(cwd, ['a.jsonl'], broken);
    const journal = path.join(cwd, 'canary.state.json.journal');
    truncateSync(journal, (frameStarts(readFileSync(journal)).at(-1) ?? 0) + 3);
    expect(await status(cwd)).toMatchObject({ isCut: true, percent: 0, counted: 150 });
    expect((await step(cwd, [])).report).toMatchObject({ isCut: false, percent: 100 });
  });

  test('leaves the state that stood there where the new one cannot be written', async () => {
    const cwd = files();
    await step(cwd, ['a.jsonl']);
    const before = readFileSync(path.join(cwd, 'canary.state.json'), 'utf8');
    const full: FileLayer = {
      ...nodeFiles,
      rename: async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    };
    await expect(step(cwd, ['b.jsonl'], full)).rejects.toMatchObject({ code: 'OUTPUT' });
    expect(readFileSync(path.join(cwd, 'canary.state.json'), 'utf8')).toBe(before);
    // What was read counts all the same.
    expect(await status(cwd)).toMatchObject({ state: 'released', counted: 300 });
  });
});

describe('a state that cannot be used', () => {
  test('of another configuration or candidate is refused by name, and left alone', async () => {
    const cwd = files();
    await step(cwd, ['a.jsonl']);
    const journal = readFileSync(path.join(cwd, 'canary.state.json.journal'));
    writeFileSync(path.join(cwd, 'canary.toml'), `# another layout\n${CONFIG}`);
    expect((await status(cwd)).counted).toBe(150);
    writeFileSync(path.join(cwd, 'canary.toml'), CONFIG.replace('0.9', '0.8'));
    await expect(step(cwd, ['b.jsonl'])).rejects.toMatchObject({
      code: 'INPUT',
      message: expect.stringMatching(/another configuration/),
    });
    writeFileSync(path.join(cwd, 'canary.toml'), CONFIG.replace('"2"', '"3"'));
    await expect(status(cwd)).rejects.toMatchObject({
      code: 'INPUT',
      message: expect.stringMatching(/of the candidate 2/),
    });
    expect(readFileSync(path.join(cwd, 'canary.state.json.journal'))).toEqual(journal);
  });

  test('that is damaged, of another format or something else is refused', async () => {
    const cwd = files();
    await step(cwd, ['a.jsonl']);
    const journal = path.join(cwd, 'canary.state.json.journal');
    const bytes = readFileSync(journal);
    bytes[200] = (bytes[200] ?? 0) ^ 0xff;
    writeFileSync(journal, bytes);
    await expect(step(cwd, [])).rejects.toMatchObject({ code: 'INTEGRITY' });
    writeFileSync(journal, encodeFrame({ kind: 'passk-canary', format: 99 }));
    await expect(step(cwd, [])).rejects.toMatchObject({ code: 'INPUT', message: expect.stringMatching(/format 99/) });
    writeFileSync(journal, 'something else');
    await expect(step(cwd, [])).rejects.toMatchObject({ code: 'INTEGRITY' });
    writeFileSync(journal, encodeFrame({ kind: 'passk-journal', format: 2 }));
    appendFileSync(journal, 'x');
    await expect(step(cwd, [])).rejects.toMatchObject({ code: 'INPUT' });
  });

  test('nothing is read where one of several files is not there', async () => {
    const cwd = files();
    await expect(step(cwd, ['a.jsonl', 'none.jsonl'])).rejects.toMatchObject({ code: 'INPUT' });
    expect((await status(cwd)).counted).toBe(0);
  });
});

/** Where each frame begins. */
function frameStarts(bytes: Uint8Array): readonly number[] {
  return new FrameReader().pushFrames(bytes).map(({ at }) => at);
}
