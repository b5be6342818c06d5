import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../src/text/display-width.ts';
import { renderText } from '../../src/report/text/render-text.ts';
import type { Issue } from '../../src/types/issue.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aFailingScenario, aFailure, aFinding, aLoadError, anIdleScenario, aReport, aScenario } from './a-report.ts';
import { REPORT_CASES } from './report-cases.ts';

const twoWays = aFailingScenario({
  name: 'two-ways',
  file: 'corpus/reliability/two-ways.toml',
  checks: [
    { check: 'path', failed: 2 },
    { check: 'status', failed: 1 },
  ],
  failureClasses: [
    { checks: ['path'], count: 2, lowestTrial: 1 },
    { checks: ['status'], count: 1, lowestTrial: 6 },
  ],
  failures: [
    aFailure({
      replay: 'passk trace corpus/reliability/two-ways.toml --trial 1 --seed 0',
      findings: [
        aFinding({
          check: 'path',
          expected: ['classify', 'route', 'done_alpha', 'finish'],
          got: ['classify', 'route'],
          message: 'path: expected classify → route → done_alpha → finish, got classify → route',
        }),
      ],
    }),
    aFailure({
      trial: 6,
      replay: 'passk trace corpus/reliability/two-ways.toml --trial 6 --seed 0',
      findings: [
        aFinding({
          check: 'status',
          expected: 'completed',
          got: 'errored',
          message: 'status: expected completed, got errored',
        }),
      ],
      path: ['classify'],
      status: 'errored',
      reason: 'intelligence error: the backend is down',
    }),
  ],
});

const brokenJudge = aScenario(
  { passed: 6, broken: 2, tokens: 100 },
  {
    name: 'judge-trouble',
    file: 'corpus/judge.toml',
    failures: [
      aFailure({
        trial: 3,
        verdict: 'broken',
        status: null,
        path: [],
        findings: [],
        brokenBy: 'The node "judge" threw: out of memory',
        replay: 'passk trace corpus/judge.toml --trial 3 --seed 0',
      }),
    ],
  },
);

const tolerant = aScenario(
  { passed: 4, failed: 4, tokens: 100 },
  { name: 'tolerant', verdict: 'passed', minPassRate: 0.4, checks: [{ check: 'status', failed: 4 }] },
);

/** One of everything. */
const mixed: SuiteReport = aReport({
  scenarios: [
    aScenario(),
    aFailingScenario(),
    tolerant,
    twoWays,
    brokenJudge,
    anIdleScenario({}, { name: 'never-started' }),
    aLoadError(),
  ],
  partial: true,
  coverage: {
    total: 37,
    observed: ['switch', 'llm_infer'],
    claimed: ['policy_fs'],
    uncovered: ['condition', 'merge', 'fail', 'pause_for_approval', 'terminate', 'respond', 'parse_json'],
    unknown: ['swich'],
    fraction: 2 / 37,
    byTags: ['switch', 'llm_infer', 'policy_fs'],
  },
  notices: [
    {
      code: 'env_unset',
      severity: 'warning',
      message: 'The variable HOME is not declared and reads as unset.',
      at: { file: 'corpus/a.toml', line: 3, column: 1 },
      hint: 'Declare it under [world.env].',
    },
  ],
  gate: {
    verdict: 'fail',
    minPassRate: 0.95,
    reasons: ["classify: pass rate 0.63 is below the suite's floor 0.95.", '1 scenario did not run.'],
    violations: [],
    expressions: [],
  },
});

describe('the text report', () => {
  test('tells how scenarios under an injection stood it', () => {
    const security = { ...aReport().security, scenarios: 3, observed: 2, trials: 40, broken: 1, denials: 39 };
    const text = (succeeded: number | null): string | undefined => {
      const rate = { succeeded: succeeded ?? 0, successRate: succeeded === null ? null : succeeded / 40, reasons: {} };
      return renderText({ ...aReport(), security: { ...security, ...rate } }, { columns: 200 })
        .split('\n')
        .find((line) => line.startsWith('injections'));
    };
    expect([text(1), text(null)]).toMatchInlineSnapshot(`
      [
        "injections    1 of 40 trials succeeded (rate 0.03) · 39 denials · 3 scenarios · 1 without an injection that was denied ·",
        "injections    no trial ran · 39 denials · 3 scenarios · 1 without an injection that was denied · 1 broken",
      ]
    `);
    expect(renderText(aReport())).not.toContain('injections');
  });

  test('of a suite that passes is short', () => {
    expect(renderText(aReport())).toMatchInlineSnapshot(`
      "         scenario   passed  rate  95 % interval  calls  tokens
      ✓ pass   llm-route     8/8  1.00   [0.68, 1.00]      1     128

      scenarios     1 passed · 0 failed
      trials        8 run · 8 passed · 0 failed
      reliability   mean pass rate 1.00
      cost          8 model calls · 1,024 tokens · 128 tokens per success
      denials       0
      coverage      2/37 capabilities observed (5 %) · --verbose lists the others

      ✓ Gate passed

      seed 0 · 8 trials in 1.23 s · 2 workers · 1.2 M trials/s
      "
    `);
  });

  test('shows failures in full at 80 columns', () => {
    expect(renderText(mixed)).toMatchInlineSnapshot(`
      "         scenario            passed  rate  95 % interval  calls  tokens
      ✓ pass   llm-route              8/8  1.00   [0.68, 1.00]      1     128
      ✗ FAIL   classify               5/8  0.63   [0.31, 0.86]      1     100
               3 ended in a dead end · pass^2 0.36 · pass^4 0.07
      ✓ pass   tolerant               4/8  0.50   [0.22, 0.78]      1     100
               tolerated: 4 failed, mostly status; its bar is 0.40 ·
               4 ended in a dead end · pass^2 0.21 · pass^4 0.01
      ✗ FAIL   two-ways               5/8  0.63   [0.31, 0.86]      1     100
               3 ended in a dead end · pass^2 0.36 · pass^4 0.07
      ! broken judge-trouble          6/8  0.75   [0.41, 0.93]      1     100
               2 broken · pass^2 0.54 · pass^4 0.21
      · skip   never-started  did not run
      ! error  corpus/broken.toml  did not load: 1 problem

      ✗ classify  corpus/reliability/classify.toml
        last_node: expected done_alpha, got route — 3 of 8 trials; this is trial 1
        trial 1, seed 0
          walked  classify → route
          ended   completed, dead_end at route: no edge answers its branch
          show    passk trace corpus/reliability/classify.toml --trial 1 --seed 0

      ✗ two-ways  corpus/reliability/two-ways.toml
        path — 2 of 8 trials; this is trial 1
          expected  classify → route → done_alpha → finish
          got       classify → route
        status: expected completed, got errored — 1 of 8 trials
        trial 1, seed 0 — 2 trials fail path
          walked  classify → route
          ended   completed, dead_end at route: no edge answers its branch
          show    passk trace corpus/reliability/two-ways.toml --trial 1 --seed 0
        trial 6, seed 0 — 1 trial fails status
          walked  classify
          ended   errored
          reason  intelligence error: the backend is down
          show    passk trace corpus/reliability/two-ways.toml --trial 6 --seed 0

      ! judge-trouble  corpus/judge.toml
        trial 3, seed 0 — broken, one of 2
          cause   The node "judge" threw: out of memory
          show    passk trace corpus/judge.toml --trial 3 --seed 0

      ! corpus/broken.toml
        corpus/broken.toml:14:1  Unknown key "statuz" in [expected].
            13 | [expected]
            14 | statuz = "completed"
               | ^^^^^^
          Did you mean "status"?

      ! 1 notice
        corpus/a.toml:3:1  The variable HOME is not declared and reads as unset.
          Declare it under [world.env].

      scenarios     2 passed · 3 failed · 1 did not load · 1 did not run
      trials        40 of 49 run · 28 passed · 10 failed · 2 broken
      reliability   mean pass rate 0.58 [0.45, 0.70] of these scenarios
      pass^k        k=1 0.58 · k=2 0.41 · k=3 0.30 · k=4 0.23 · k=8 0.17 [0.004, 0.60]
      cost          40 model calls · 4,224 tokens · 150.9 tokens per success
      denials       0
      coverage      2/37 capabilities observed (5 %) · --verbose lists the others
      only claimed  policy_fs
      unknown tags  swich

      Stopped early: numbers cover 40 of 49 trials.
      ✗ Gate FAILED
        classify: pass rate 0.63 is below the suite's floor 0.95.
        1 scenario did not run.

      seed 0 · 40 trials in 1.23 s · 2 workers · 1.2 M trials/s
      "
    `);
  });

  test('fits 40 columns', () => {
    expect(renderText(mixed, { columns: 40 })).toMatchInlineSnapshot(`
      "         scenario           passed  rate
      ✓ pass   llm-route             8/8  1.00
      ✗ FAIL   classify              5/8  0.63
               3 ended in a dead end ·
               pass^2 0.36 · pass^4 0.07
      ✓ pass   tolerant              4/8  0.50
               tolerated: 4 failed, mostly
               status; its bar is 0.40 ·
               4 ended in a dead end ·
               pass^2 0.21 · pass^4 0.01
      ✗ FAIL   two-ways              5/8  0.63
               3 ended in a dead end ·
               pass^2 0.36 · pass^4 0.07
      ! broken judge-trouble         6/8  0.75
               2 broken · pass^2 0.54 ·
               pass^4 0.21
      · skip   never-started  did not run
      ! error  corpus/broken.toml
               did not load: 1 problem

      ✗ classify
        corpus/reliability/classify.toml
        last_node — 3 of 8 trials; this is
        trial 1
          expected  done_alpha
          got       route
        trial 1, seed 0
          walked  classify → route
          ended   completed, dead_end at
                  route: no edge answers its
                  branch
          show    passk trace \\
                  corpus/reliability/classify.toml \\
                  --trial 1 --seed 0

      ✗ two-ways
        corpus/reliability/two-ways.toml
        path — 2 of 8 trials; this is trial 1
          expected  classify → route →
                    done_alpha → finish
          got       classify → route
        status — 1 of 8 trials
          expected  completed
          got       errored
        trial 1, seed 0 — 2 trials fail path
          walked  classify → route
          ended   completed, dead_end at
                  route: no edge answers its
                  branch
          show    passk trace \\
                  corpus/reliability/two-ways.toml \\
                  --trial 1 --seed 0
        trial 6, seed 0 — 1 trial fails status
          walked  classify
          ended   errored
          reason  intelligence error: the
                  backend is down
          show    passk trace \\
                  corpus/reliability/two-ways.toml \\
                  --trial 6 --seed 0

      ! judge-trouble  corpus/judge.toml
        trial 3, seed 0 — broken, one of 2
          cause   The node "judge" threw: out
                  of memory
          show    passk trace \\
                  corpus/judge.toml \\
                  --trial 3 --seed 0

      ! corpus/broken.toml
        corpus/broken.toml:14:1  Unknown key
        "statuz" in [expected].
            13 | [expected]
            14 | statuz = "completed"
               | ^^^^^^
          Did you mean "status"?

      ! 1 notice
        corpus/a.toml:3:1  The variable HOME
        is not declared and reads as unset.
          Declare it under [world.env].

      scenarios     2 passed · 3 failed ·
                    1 did not load ·
                    1 did not run
      trials        40 of 49 run · 28 passed ·
                    10 failed · 2 broken
      reliability   mean pass rate 0.58
                    [0.45, 0.70] of these
                    scenarios
      pass^k        k=1 0.58 · k=2 0.41 ·
                    k=3 0.30 · k=4 0.23 ·
                    k=8 0.17 [0.004, 0.60]
      cost          40 model calls ·
                    4,224 tokens ·
                    150.9 tokens per success
      denials       0
      coverage      2/37 capabilities
                    observed (5 %) ·
                    --verbose lists the others
      only claimed  policy_fs
      unknown tags  swich

      Stopped early: numbers cover 40 of 49
      trials.
      ✗ Gate FAILED
        classify: pass rate 0.63 is below the
        suite's floor 0.95.
        1 scenario did not run.

      seed 0 · 40 trials in 1.23 s ·
      2 workers · 1.2 M trials/s
      "
    `);
  });

  test('says where the expectation stands that failed', () => {
    const at = { file: 'corpus/reliability/classify.toml', line: 31, column: 13 };
    const text = renderText(aReport({ scenarios: [aFailingScenario({ at })] }), { columns: 80 });
    expect(text).toContain('✗ classify  corpus/reliability/classify.toml:31:13\n');
  });

  test('uses 120 columns', () => {
    expect(renderText(mixed, { columns: 120 })).toMatchInlineSnapshot(`
      "         scenario            passed  rate  95 % interval  calls  tokens
      ✓ pass   llm-route              8/8  1.00   [0.68, 1.00]      1     128
      ✗ FAIL   classify               5/8  0.63   [0.31, 0.86]      1     100
               3 ended in a dead end · pass^2 0.36 · pass^4 0.07
      ✓ pass   tolerant               4/8  0.50   [0.22, 0.78]      1     100
               tolerated: 4 failed, mostly status; its bar is 0.40 · 4 ended in a dead end · pass^2 0.21 · pass^4 0.01
      ✗ FAIL   two-ways               5/8  0.63   [0.31, 0.86]      1     100
               3 ended in a dead end · pass^2 0.36 · pass^4 0.07
      ! broken judge-trouble          6/8  0.75   [0.41, 0.93]      1     100
               2 broken · pass^2 0.54 · pass^4 0.21
      · skip   never-started  did not run
      ! error  corpus/broken.toml  did not load: 1 problem

      ✗ classify  corpus/reliability/classify.toml
        last_node: expected done_alpha, got route — 3 of 8 trials; this is trial 1
        trial 1, seed 0
          walked  classify → route
          ended   completed, dead_end at route: no edge answers its branch
          show    passk trace corpus/reliability/classify.toml --trial 1 --seed 0

      ✗ two-ways  corpus/reliability/two-ways.toml
        path: expected classify → route → done_alpha → finish, got classify → route — 2 of 8 trials; this is trial 1
        status: expected completed, got errored — 1 of 8 trials
        trial 1, seed 0 — 2 trials fail path
          walked  classify → route
          ended   completed, dead_end at route: no edge answers its branch
          show    passk trace corpus/reliability/two-ways.toml --trial 1 --seed 0
        trial 6, seed 0 — 1 trial fails status
          walked  classify
          ended   errored
          reason  intelligence error: the backend is down
          show    passk trace corpus/reliability/two-ways.toml --trial 6 --seed 0

      ! judge-trouble  corpus/judge.toml
        trial 3, seed 0 — broken, one of 2
          cause   The node "judge" threw: out of memory
          show    passk trace corpus/judge.toml --trial 3 --seed 0

      ! corpus/broken.toml
        corpus/broken.toml:14:1  Unknown key "statuz" in [expected].
            13 | [expected]
            14 | statuz = "completed"
               | ^^^^^^
          Did you mean "status"?

      ! 1 notice
        corpus/a.toml:3:1  The variable HOME is not declared and reads as unset.
          Declare it under [world.env].

      scenarios     2 passed · 3 failed · 1 did not load · 1 did not run
      trials        40 of 49 run · 28 passed · 10 failed · 2 broken
      reliability   mean pass rate 0.58 [0.45, 0.70] of these scenarios
      pass^k        k=1 0.58 · k=2 0.41 · k=3 0.30 · k=4 0.23 · k=8 0.17 [0.004, 0.60]
      cost          40 model calls · 4,224 tokens · 150.9 tokens per success
      denials       0
      coverage      2/37 capabilities observed (5 %) · --verbose lists the others
      only claimed  policy_fs
      unknown tags  swich

      Stopped early: numbers cover 40 of 49 trials.
      ✗ Gate FAILED
        classify: pass rate 0.63 is below the suite's floor 0.95.
        1 scenario did not run.

      seed 0 · 40 trials in 1.23 s · 2 workers · 1.2 M trials/s
      "
    `);
  });

  test('says with colours nothing that it does not say without', () => {
    const colored = renderText(mixed, { color: true });
    expect(withoutColors(colored)).toBe(renderText(mixed));
    expect(colored.replaceAll('\u001b', '⎋').split('\n').slice(0, 5)).toMatchInlineSnapshot(`
      [
        "⎋[2m         scenario            passed  rate  95 % interval  calls  tokens⎋[22m",
        "⎋[32m✓ pass   ⎋[39mllm-route              8/8  1.00   [0.68, 1.00]      1     128",
        "⎋[31m✗ FAIL   ⎋[39mclassify               5/8  0.63   [0.31, 0.86]      1     100",
        "⎋[2m         3 ended in a dead end · pass^2 0.36 · pass^4 0.07⎋[22m",
        "⎋[32m✓ pass   ⎋[39mtolerant               4/8  0.50   [0.22, 0.78]      1     100",
      ]
    `);
  });

  test('is as wide in ASCII', () => {
    const ascii = renderText(mixed, { unicode: false });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
    expect(ascii).toMatch(/^[\u0000-\u007f]*$/);
    expect(ascii.split('\n').map(displayWidth)).toEqual(renderText(mixed).split('\n').map(displayWidth));
  });

  test('holds failures, counts and the verdict only when quiet', () => {
    expect(renderText(aReport(), { quiet: true })).toBe(
      `scenarios     1 passed · 0 failed
trials        8 run · 8 passed · 0 failed

✓ Gate passed

seed 0 · 8 trials in 1.23 s · 2 workers · 1.2 M trials/s
`,
    );
    expect(renderText(mixed, { quiet: true })).not.toContain('coverage');
    expect(renderText(mixed, { quiet: true })).toContain('last_node: expected done_alpha, got route — 3 of 8 trials');
    const notice: Issue = { code: 'unknown_key', severity: 'warning', message: '"chaos" is not a known key.' };
    expect(renderText({ ...aReport(), notices: [notice] }, { quiet: true })).toContain(
      'trials        8 run · 8 passed · 0 failed\nnotices       1 · shown without --quiet\n',
    );
  });

  test('shows tolerated failures when verbose', () => {
    const scenario = { ...tolerant, failures: [aFailure()] };
    const report = aReport({ scenarios: [scenario] });
    expect(renderText(report)).not.toContain('passk trace');
    expect(renderText(report, { verbose: true })).toContain('passk trace');
  });

  test('says how often eight runs in a row succeed where enough trials ran to know it', () => {
    const [flaky, sound] = [aScenario({ passed: 61, failed: 3 }), aScenario({ passed: 64 }, { name: 'sound' })];
    const [head, line] = renderText(aReport({ scenarios: [flaky] }), { columns: 100 }).split('\n');
    expect(head).toContain('pass^8');
    expect(line).toBe('✗ FAIL   llm-route   61/64  0.95   [0.87, 0.98]    0.67      1     128');
    const single = renderText(aReport({ scenarios: [flaky] }));
    expect(single).toContain('mean pass rate 0.95 · 8 runs in a row succeed 67 % of the time');
    const both = renderText(aReport({ scenarios: [flaky, sound] }));
    expect(both).toContain('8 runs in a row of a scenario succeed 83 % of the time');
    expect(renderText(aReport({ scenarios: [sound] }))).not.toContain('in a row');
    // One failure in eight trials would make it 0.
    expect(renderText(aReport({ scenarios: [tolerant] }))).not.toContain('pass^8');
  });

  test('names the capabilities that are not covered when it is asked to', () => {
    expect(renderText(mixed)).toContain('2/37 capabilities observed (5 %) · --verbose lists the others');
    expect(renderText(mixed)).not.toContain('not covered');
    expect(renderText(mixed, { verbose: true })).toContain('not covered   condition, merge');
  });

  test('counts spotless scenarios by folder when there are many, and keeps the others', () => {
    const many = Array.from({ length: 50 }, (_, i) =>
      aScenario({}, { name: `s${i}`, file: `corpus/${i < 30 ? 'a' : 'b'}/s${i}.toml` }),
    );
    const report = aReport({ scenarios: [...many, tolerant, aFailingScenario()] });
    expect(renderText(report).split('\n\n')[0]).toMatchInlineSnapshot(`
      "         scenario  passed  rate  95 % interval  calls  tokens
      ✗ FAIL   classify     5/8  0.63   [0.31, 0.86]      1     100
               3 ended in a dead end · pass^2 0.36 · pass^4 0.07
      ✓ pass   tolerant     4/8  0.50   [0.22, 0.78]      1     100
               tolerated: 4 failed, mostly status; its bar is 0.40 ·
               4 ended in a dead end · pass^2 0.21 · pass^4 0.01
      ✓ pass   corpus/a/  30 scenarios, 240 trials
      ✓ pass   corpus/b/  20 scenarios, 160 trials"
    `);
    expect(renderText(report, { verbose: true }).split('\n\n')[0]?.split('\n')).toHaveLength(56);
  });

  test('shows of many that passed the three weakest, and counts what bars tolerated by folder', () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      aScenario(
        { passed: 8 - (i % 6), failed: i % 6 },
        { name: `s${i}`, file: `x/${i % 15}/s.toml`, verdict: 'passed' },
      ),
    );
    const [table = ''] = renderText(aReport({ scenarios: [...many, aFailingScenario()] })).split('\n\n');
    const lines = table.split('\n').filter((line) => /^[✓✗]/.test(line));
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 3).join(' '))).toEqual([
      '✗ FAIL classify 5/8',
      '✓ pass s5 3/8',
      '✓ pass s11 3/8',
      '✓ pass s17 3/8',
      '✓ pass x/ 57 scenarios, 456 trials, tolerated: 135 failed',
    ]);
  });

  test('shows of more than three notices what they say, and no frames', () => {
    const notice = (file: string): Issue => ({
      code: 'x',
      severity: 'warning',
      message: `About ${file}.`,
      hint: 'Do this.',
      at: { file, line: 1, column: 2, frame: '1 | framed' },
    });
    const text = (count: number): string =>
      renderText(aReport({ notices: Array.from({ length: count }, (_, i) => notice(`n${i}.toml`)) }));
    expect(text(3)).toContain('framed');
    expect(text(4)).not.toContain('framed');
    expect(text(4)).toContain('n2.toml:1:2  About n2.toml.\n  … 1 notice more (--verbose)');
  });

  test('gives the command even for a way to fail of which no trial was kept', () => {
    const scenario = { ...twoWays, failures: twoWays.failures.slice(0, 1) };
    expect(renderText(aReport({ scenarios: [scenario] }))).toContain(
      '  trial 6, seed 0 — 1 trial fails status\n' +
        '    show    passk trace corpus/reliability/two-ways.toml --trial 6 --seed 0\n',
    );
  });

  test('says in words why a check does not hold that has no value to compare, however long they are', () => {
    const message =
      'judge kindness: expected every criterion to be met, got unmet: "kind", because "It sends her away."';
    const failure = aFailure({
      findings: [aFinding({ check: 'judge kindness', expected: true, got: ['kind'], message })],
    });
    const text = renderText(
      aReport({
        scenarios: [aFailingScenario({ checks: [{ check: 'judge kindness', failed: 3 }], failures: [failure] })],
      }),
      { columns: 80 },
    );
    expect(text).toContain(
      '  judge kindness: expected every criterion to be met, got unmet: "kind", because\n  "It sends her away." — 3 of 8 trials; this is trial 1\n',
    );
  });

  test('says which claims no context supports, and what of them, where a share of them was wanted', () => {
    const check = 'faithful (heuristic)';
    const claim = 'It is ready on May 4, 2024.';
    const message = `${check}: expected contexts that support every claim, got 0 of 1 supported; "${claim}" (no context has "May 4, 2024")`;
    const failure = aFailure({ findings: [aFinding({ check, expected: 1, got: [claim], message })] });
    const scenarios = [aFailingScenario({ checks: [{ check, failed: 3 }], failures: [failure] })];
    const text = renderText(aReport({ scenarios }), { columns: 80 });
    expect(text.replaceAll(/\s+/g, ' ')).toContain(message);
  });

  test('breaks a command where a shell lets it go on', () => {
    const text = renderText(mixed, { columns: 40 });
    expect(text).toContain(
      '    show    passk trace \\\n            corpus/reliability/classify.toml \\\n            --trial 1 --seed 0\n',
    );
  });

  test('lets nothing from files or models act on the terminal or leave its column', () => {
    const hostile = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(hostile, hostile, fc.integer({ min: 40, max: 120 }), fc.boolean(), (name, value, columns, color) => {
        const failure = aFailure({
          path: [name, value],
          reason: value,
          replay: 'passk trace x.toml --trial 1',
          findings: [aFinding({ expected: name, got: value, message: `${name}: expected ${name}, got ${value}` })],
        });
        const report = aReport({
          scenarios: [
            aFailingScenario({ name, file: value, failures: [failure] }),
            aLoadError({ name, loadErrors: [{ code: 'x', severity: 'error', message: value, hint: name }] }),
          ],
          gate: { verdict: 'fail', minPassRate: null, reasons: [`${name}: ${value}`], violations: [], expressions: [] },
          coverage: { ...aReport().coverage, unknown: [name, value] },
        });
        const text = withoutColors(renderText(report, { columns, color, verbose: true }));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the promise
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
        for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

function withoutColors(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  return text.replace(/\u001b\[\d+m/g, '');
}

describe('what a run gave up', () => {
  const givenUp = REPORT_CASES['given-up'] as SuiteReport;

  test('stands at the top, quiet or not, and every way to break a trial is named with its count', () => {
    const text = renderText(givenUp);
    expect(text.split('\n').slice(0, 3)).toEqual([
      '! 445 trials of 2 scenarios were not run, because too many trials before them',
      '  ended their workers or never ended ("fatal": 444, "b": 1). They are broken,',
      '  and stay in every denominator. The causes stand with each scenario.',
    ]);
    expect(renderText(givenUp, { quiet: true }).split('\n')[0]).toBe(text.split('\n')[0]);
    const body = text.slice(text.indexOf('! fatal'), text.indexOf('scenarios    '));
    expect(body).toMatchInlineSnapshot(`
      "! fatal  corpus/conformance/llm-route.toml
        trial 356, seed 0 — broken, one of 444 with this cause (700 in all)
          cause   not run: 256 trials before it ended their workers
        trial 7, seed 0 — broken, one of 255 with this cause (700 in all)
          cause   worker exited with code 3 while running this trial
          show    passk trace corpus/reliability/classify.toml --trial 1 --seed 0
        trial 9, seed 0 — broken, the only one with this cause (700 in all)
          cause   worker ran out of memory while running this trial

      "
    `);
  });
});

test('the name above a failure is there whole, over as many lines as it takes', () => {
  const name = 'a long name of a file: the case that failed';
  const report = aReport({ scenarios: [aFailingScenario({ name, file: 'a.toml' })] });
  const text = renderText(report, {
    columns: 40,
    color: false,
    unicode: true,
    verbose: false,
    quiet: false,
    timing: false,
  });
  expect(text).toContain('✗ a long name of a file: the case that\n  failed\n  a.toml\n');
});
