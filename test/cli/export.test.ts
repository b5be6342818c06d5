import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PASSK, runPassk } from './run-passk.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-export-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const RUNS = ['a', 'a', 'b', 'b'].map(
  (name, run) => `<testcase name="${name}">${run === 3 ? '<failure/>' : ''}</testcase>`,
);
writeFileSync(
  path.join(cwd, 'runs.xml'),
  `<testsuite name="=s">${RUNS.join('')}<testcase name="c"><skipped/></testcase></testsuite>`,
);

describe('passk export', () => {
  it('prints a line of JSON for each trial, and says what is no trial on stderr', async () => {
    const { status, stdout, stderr } = await runPassk(['export', 'runs.xml', '--format', 'jsonl'], { cwd });
    expect(status).toBe(0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(rows).toHaveLength(4);
    expect(rows[3]).toMatchObject({ task: '=s > b', trial: 3, verdict: 'failed', format: 'junit', file: 'runs.xml' });
    expect(stderr).toContain('1 skipped test is no run.');
  });

  it('writes a table whole or not at all, which score reads to the same counts', async () => {
    const written = await runPassk(['export', 'runs.xml', '--format', 'csv', '--out', 'runs.csv'], { cwd });
    expect([written.status, written.stdout]).toEqual([0, '']);
    expect(readFileSync(path.join(cwd, 'runs.csv'), 'utf8').split('\r\n')[1]).toMatch(
      /^runs.xml,'=s > a,,0,,passed,true,/,
    );
    const reports = await Promise.all(
      ['runs.xml', 'runs.csv'].map(async (file) =>
        JSON.parse((await runPassk(['score', file, '--json'], { cwd })).stdout),
      ),
    );
    const [before, after] = reports.map(({ summary }) => summary.trials);
    expect(after).toEqual(before);
    const refused = await runPassk(['export', 'none.xml', '--out', 'none.csv'], { cwd });
    expect([refused.status, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('"none.xml" does not exist.');
    expect(readdirSync(cwd).sort()).toEqual(['runs.csv', 'runs.xml']);
  });

  it.runIf(existsSync('/dev/full')).each([
    ['> /dev/full', 'passk: Standard output cannot be written: the disk is full.\n'],
    ['--out /dev/full', 'passk: /dev/full cannot be written: the disk is full.\n'],
  ])('says that the disk is full, with exit code 2: %s', (where, stderr) => {
    const row = `${JSON.stringify({ task: 'a', passed: true })}\n`;
    const folder = mkdtempSync(path.join(cwd, 'full-'));
    writeFileSync(path.join(folder, 'runs.jsonl'), row.repeat(500));
    const command = `exec "$0" "$1" export runs.jsonl ${where}`;
    const ended = spawnSync('sh', ['-c', command, process.execPath, PASSK], { cwd: folder, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 2, stderr });
  });

  it('takes what a format leaves open, and a format by its name', async () => {
    const text = '{"name": "x", "grade": 3}\n{"name": "x", "grade": 7}\n';
    writeFileSync(path.join(cwd, 'runs.txt'), text);
    const args = [
      'export',
      'runs.txt',
      '--from',
      'jsonl',
      '--map',
      'task=name',
      '--map',
      'score=grade',
      '--pass-score',
      '5',
    ];
    const { status, stdout } = await runPassk(args, { cwd });
    expect([status, stdout.match(/"verdict":"\w+"/g)]).toEqual([0, ['"verdict":"failed"', '"verdict":"passed"']]);
    rmSync(path.join(cwd, 'runs.txt'));
  });

  it('refuses a folder in place of the file', async () => {
    const { status, stderr } = await runPassk(['export', 'runs.xml', '--out', '.'], { cwd });
    expect([status, stderr]).toEqual([2, expect.stringContaining('The table cannot be written to .')]);
  });
});
