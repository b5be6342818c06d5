import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { junit } from '../../../src/importers/junit/junit.ts';
import type { ImportedRun } from '../../../src/plugin/importer-type.ts';
import { importAll, sourceAt, sourceOf } from '../import-all.ts';

const local = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const PYTEST = local('../../../.passk/python-pytest/bin/pytest');
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',');
const skipsPytest = !existsSync(PYTEST) && !required.includes('pytest');

const folder = mkdtempSync(path.join(tmpdir(), 'passk-junit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const of = (text: string | Uint8Array) => sourceOf({ 'junit.xml': text });
const suite = (...tests: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="s">\n${tests.join('\n')}\n</testsuite></testsuites>`;

/** `passed`, `failed` or `error` of each run, by task. */
function outcomes(runs: readonly ImportedRun[] = []): Readonly<Record<string, readonly string[]>> {
  const byTask: Record<string, string[]> = {};
  for (const { task, error, scores } of runs) {
    byTask[task] = [...(byTask[task] ?? []), error !== undefined ? 'error' : scores[0]?.value ? 'passed' : 'failed'];
  }
  return byTask;
}

describe('files that test runners wrote', () => {
  it('counts a test that flickers over four runs of Vitest', { timeout: 120_000 }, () => {
    const runs = path.join(folder, 'vitest');
    const project = mkdtempSync(path.join(folder, 'project-'));
    copyFileSync(local('fixtures/flicker.vitest.mjs'), path.join(project, 'flicker.test.mjs'));
    symlinkSync(local('../../../node_modules'), path.join(project, 'node_modules'));
    for (const run of [1, 2, 3, 4]) {
      const to = path.join(runs, `run-${run}.xml`);
      const args = ['run', '--root', project, '--reporter=junit', `--outputFile=${to}`];
      const { VITEST: _, VITEST_WORKER_ID: __, VITEST_POOL_ID: ___, ...env } = process.env;
      spawnSync(process.execPath, [local('../../../node_modules/vitest/vitest.mjs'), ...args], {
        cwd: project,
        env: { ...env, RUN: String(run) },
      });
    }
    const source = sourceAt(runs);
    expect(junit.detects(source, {})).toBe(true);
    const { sets, broken, problems } = importAll(junit, source);
    expect(broken).toEqual([]);
    expect(problems).toEqual([{ message: '4 skipped tests are no runs in all files.', file: 0 }]);
    expect(outcomes(sets[''])).toEqual({
      'flicker.test.mjs > shop > adds': ['passed', 'passed', 'passed', 'passed'],
      'flicker.test.mjs > shop > flickers': ['failed', 'passed', 'failed', 'passed'],
    });
    const [adds, flickers] = sets[''] ?? [];
    expect(adds).toMatchObject({
      durationMs: expect.any(Number),
      extra: { suite: { name: 'flicker.test.mjs' }, system_out: expect.stringContaining('two ]]> & <three>') },
    });
    expect(flickers?.scores[0]?.explanation).toContain('AssertionError: expected 1 to be +0');
  });

  it.skipIf(skipsPytest)('counts failures, errors and repeats over four runs of pytest', { timeout: 120_000 }, () => {
    const runs = path.join(folder, 'pytest');
    copyFileSync(local('fixtures/test_flicker.py'), path.join(folder, 'test_flicker.py'));
    for (const run of [1, 2, 3, 4]) {
      // One of them in the older of pytest's dialects, spread over processes.
      const older = run === 4 ? ['-o', 'junit_family=xunit1', '-n', '2'] : [];
      spawnSync(
        PYTEST,
        [
          '-q',
          '-p',
          'no:cacheprovider',
          '-o',
          'junit_logging=all',
          ...older,
          `--junitxml=${path.join(runs, `run-${run}.xml`)}`,
          'test_flicker.py',
        ],
        { cwd: folder, env: { ...process.env, RUN: String(run), PYTHONDONTWRITEBYTECODE: '1' } },
      );
    }
    const source = sourceAt(runs);
    expect(junit.detects(source, {})).toBe(true);
    const { sets, broken, problems } = importAll(junit, source, { repeats: 'pytest' });
    expect(broken).toEqual([]);
    expect(problems).toEqual([{ message: '4 skipped tests are no runs in all files.', file: 0 }]);
    expect(outcomes(sets[''])).toEqual({
      'test_flicker > test_adds': ['passed', 'passed', 'passed', 'passed'],
      'test_flicker > test_flickers': ['failed', 'passed', 'failed', 'passed'],
      'test_flicker > test_needs_a_server': ['passed', 'error', 'passed', 'passed'],
      // pytest writes it twice, as a failure and as an error: it is one run.
      'test_flicker > test_fails_and_leaves_things_behind': ['failed', 'failed', 'failed', 'failed'],
      'test_flicker > test_fits[s]': Array.from({ length: 12 }, () => 'passed'),
      'test_flicker > test_fits[m]': Array.from({ length: 12 }, () => 'failed'),
    });
    const adds = (sets[''] ?? []).filter(({ task }) => task.endsWith('test_adds'));
    expect(adds[0]?.extra).toMatchObject({
      system_out: expect.stringContaining('two ]]> & <three> #x1B[31m'),
      system_err: expect.stringContaining('beware'),
      properties: [{ name: 'order', value: '7' }],
    });
    const error = (sets[''] ?? []).find((run) => run.error !== undefined)?.error;
    expect(error).toMatch(/^failed on setup with "OSError: no server"/);
    // Without the option each of its names is a task.
    expect(outcomes(importAll(junit, source).sets[''])['test_flicker > test_fits[s-1-3]']).toHaveLength(4);
  });
});

describe('junit', () => {
  it('takes what Surefire says of repeated tests as runs of their own, or the first of them', () => {
    const flaky = `<testcase classname="A" name="sometimes" time="1,002.5">
      <flakyFailure message="expected 1" type="AssertionError"><stackTrace><![CDATA[at A.java:7]]></stackTrace><system-out>tried</system-out></flakyFailure>
      <flakyError type="java.net.ConnectException"><stackTrace>refused</stackTrace></flakyError></testcase>`;
    const never = `<testcase classname="A" name="never"><failure message="no">no</failure><rerunFailure message="no again"/></testcase>`;
    const once = importAll(junit, of(suite(flaky, never)), { reruns: 'first' });
    expect([outcomes(once.sets['']), once.problems]).toEqual([
      { 'A > sometimes': ['failed'], 'A > never': ['failed'] },
      [],
    ]);
    const { sets, problems } = importAll(junit, of(suite(flaky, never)));
    expect(outcomes(sets[''])).toEqual({
      'A > sometimes': ['failed', 'error', 'passed'],
      'A > never': ['failed', 'failed'],
    });
    expect(sets['']?.map(({ scores, error }) => error ?? scores[0]?.explanation ?? null)).toEqual([
      'expected 1\nat A.java:7',
      'refused',
      null,
      'no',
      'no again',
    ]);
    expect(sets['']?.[0]?.extra).toMatchObject({ system_out: 'tried', repeated: 'flakyFailure' });
    expect(sets['']?.[2]?.durationMs).toBe(1_002_500);
    expect(problems).toEqual([
      {
        message:
          '3 runs repeat failed ones: repeating ends with the first success, so rates over them are too high; --map reruns=first leaves them out.',
        file: 0,
      },
    ]);
  });

  it('tells tests apart by class, name and file, and takes the suite where there is no class', () => {
    const tests = [
      '<testcase name="a"/>',
      '<testcase classname="pkg.test_x.C" name="a" file="pkg/test_x.py" line="3"/>',
      '<testcase classname="C" name="a" file="one.js"/>',
      '<testcase classname="C" name="a" file="two.js"></testcase>',
    ];
    expect(Object.keys(outcomes(importAll(junit, of(suite(...tests))).sets['']))).toEqual([
      's > a',
      'pkg.test_x.C > a',
      'one.js > C > a',
      'two.js > C > a',
    ]);
  });

  it('lets a failure decide before an error, and counts neither what is skipped nor what is disabled', () => {
    const tests = [
      '<testcase name="both"><error>e</error><failure>f</failure></testcase>',
      '<testcase name="a"><skipped/></testcase>',
      '<testcase name="b" status="notrun"/>',
      '<testcase name="fails" status="run"><skipped/><failure/></testcase>',
    ];
    const { sets, problems } = importAll(junit, of(suite(...tests)));
    expect(outcomes(sets[''])).toEqual({ 's > both': ['failed'], 's > fails': ['failed'] });
    expect(problems).toEqual([{ message: '2 skipped tests are no runs.', file: 0 }]);
  });

  it.each([
    ['number', ['t[2]', 't (2)', 't #2', 't  2', 't2', 't[2-3]', '7'], ['t', 't2', 't[2-3]', '7']],
    ['pytest', ['t[2-3]', 't[a-2-3]', 't[2]', '[1-2]'], ['t', 't[a]', 't[2]', '[1-2]']],
  ])('takes the numbers of repeats out of names: %s', (repeats, names, left) => {
    const tests = names.map((name) => `<testcase classname="C" name="${name}"/>`);
    const { sets } = importAll(junit, of(suite(...tests)), { repeats });
    expect([...new Set(sets['']?.map(({ task }) => task.replace('C > ', '')))]).toEqual(left);
  });

  it('costs a broken test itself, wherever its end is missing', () => {
    const tests = [
      '<testcase name="whole"/>',
      '<testcase name="open"><failure>',
      '<testcase name="next"><system-out>a < b </system-out></testcase>',
      '<testcase><failure/></testcase>',
      '<testcase name="no-quotes" time=1></testcase>',
      '<testcase name="entity"><failure>&boom;</failure></testcase>',
      '<testcase name="last"><failure>never',
    ];
    const { sets, broken, problems } = importAll(junit, of(suite(...tests).replace('</testsuite></testsuites>', '')));
    expect(outcomes(sets[''])).toEqual({ 's > whole': ['passed'] });
    expect(broken).toEqual([
      'It is no well-formed XML: its end is missing.',
      expect.stringMatching(/^It is no well-formed XML: ./),
      'It has no "name".',
      'It is no well-formed XML: Unquoted attribute value.',
      'It is no well-formed XML: Invalid character entity.',
      'It is no well-formed XML: its end is missing.',
    ]);
    expect(problems).toEqual([]);
  });

  it('gives up a run of deep nonsense at its first error', () => {
    const nonsense = `<testcase name="a">${'<a>'.repeat(200_000)}${'</b>'.repeat(200_000)}</testcase>`;
    expect(importAll(junit, of(suite(nonsense))).broken).toEqual(['It is no well-formed XML: Unexpected close tag.']);
  });

  it('takes the end of a file that was cut off for a run that cannot be read, and says where', () => {
    const text = suite('<testcase name="a"/>', '<testcase name="b"><failure message="x"');
    const { sets, broken, problems } = importAll(junit, of(text.slice(0, text.indexOf('"x"') + 2)));
    expect(sets['']).toHaveLength(1);
    expect(broken).toEqual(['It is no well-formed XML: its end is missing.']);
    expect(problems).toEqual([
      { message: 'The file ends in the middle of an element.', file: 0, at: text.indexOf('<failure') },
    ]);
  });

  it('keeps runs whose output holds characters that XML forbids', () => {
    const { sets } = importAll(
      junit,
      of(suite('<testcase name="a"><system-out>\u001b[31m &#27; &#x1B;</system-out></testcase>')),
    );
    expect(sets['']?.[0]?.extra).toMatchObject({ system_out: '\ufffd[31m \ufffd \ufffd' });
  });

  it('refuses a document type, so that no entity is ever expanded', () => {
    const bomb = `<!DOCTYPE t [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n${suite('<testcase name="&b;"/>')}`;
    expect(junit.detects(of(bomb), {})).toBe(true);
    expect(() => importAll(junit, of(bomb))).toThrow('It declares a document type (DTD), which is not read.');
  });

  it('names the encoding that it does not read', () => {
    const text = suite('<testcase name="a"/>');
    expect(() => importAll(junit, of(Buffer.from(`\ufeff${text}`, 'utf16le')))).toThrow('UTF-16');
    expect(() => importAll(junit, of(text.replace('UTF-8', 'ISO-8859-1')))).toThrow(
      'It is written in ISO-8859-1. Save it as UTF-8.',
    );
    expect(importAll(junit, of(`\ufeff${text}`)).sets['']).toHaveLength(1);
  });

  it('takes a folder with other files in it, and leaves out XML that is something else', () => {
    const source = sourceOf(
      {
        'a.xml': suite('<testcase name="a"/>'),
        'b.xml': '<coverage/>',
        'c.log': 'x',
        'd.xml': '<!DOCTYPE x><testsuite/>',
      },
      'reports',
    );
    expect(junit.detects(source, {})).toBe(true);
    expect(importAll(junit, source)).toMatchObject({
      sets: { '': [{ task: 's > a' }] },
      problems: [
        { message: 'It is no JUnit XML, so it is left out.', file: 1 },
        { message: 'It declares a document type (DTD), which is not read.', file: 3, at: 0 },
      ],
    });
  });

  it('is told by the root of a file alone', () => {
    for (const text of [
      '<html/>',
      '{"a": "<testsuite>"}',
      'x <testsuite/>',
      '',
      '<testsuitex/>',
      '<!-- <testsuite/> -->',
    ]) {
      expect([text, junit.detects(of(text), {})]).toEqual([text, false]);
    }
    expect(junit.detects(of('<!-- a --><?b?>\n<testsuite name="x"/>'), {})).toBe(true);
    // A beginning that another way of looking at it could hang on.
    expect(junit.detects(of('<!---->'.repeat(9000)), {})).toBe(false);
  });

  it('refuses options that mean nothing', () => {
    expect(() => importAll(junit, of(suite()), { repeats: 'all' })).toThrow(
      '"repeats" is pytest or number, not "all".',
    );
    expect(() => importAll(junit, of(suite()), { reruns: 'last' })).toThrow('"reruns" is first, not "last".');
  });
});
