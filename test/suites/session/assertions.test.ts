import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadSuite, runSuite, traceTrial } from '../../../src/index.ts';
import { aFolder } from '../../cli/run-passk.ts';
import { sampled } from '../../support/sampled.ts';

const HEAD = `name = "shop"
[session]
[state]
paid = []
checked = false
[[tools]]
name = "pay"
parameters = { properties = { cents = { type = "integer" } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
[[tools]]
name = "check"
steps = [{ set = ["checked"], value = true }]
`;

/** Agents that heed what they are told, at once or late, and one that does not. */
const agents = (wrong: string, right: string) => `agents = [
  { name = "sound", turns = [{ ${right} }] },
  { name = "heeds", turns = [{ ${wrong} }, { ${right} }] },
  { name = "slow", turns = [{ ${wrong} }, { ${wrong} }, { ${right} }] },
  { name = "ignores", turns = [{ ${wrong}, repeat = true }] },
]
`;

const TASK = (asserted: string, wrong: string, right: string) => `[[tasks]]
name = "t"
user = { opening = "Here are 12 euros." }
expected = { says = ["Thank you"] }
${asserted}
${agents(wrong, right)}`;

async function held(kind: 'assert' | 'suggest', rest: string, wrong: string, right: string) {
  const cwd = aFolder();
  const asserted = `${kind} = [{ name = "a", retries = 2, ${rest} }]`;
  writeFileSync(path.join(cwd, 'a.toml'), HEAD + TASK(asserted, wrong, right));
  const report = await runSuite({ cwd, paths: ['a.toml'], workers: 0 });
  const traces = await Promise.all(
    ['sound', 'heeds', 'slow', 'ignores'].map(async (agent) => {
      const { record, result } = await traceTrial({ cwd, file: 'a.toml', part: `shop: t · ${agent}`, trial: 0 });
      return { record, result };
    }),
  );
  return {
    report,
    traces,
    told: traces.map(({ record, result }) => [
      result.verdict,
      record?.session?.assertions?.[0]?.retries,
      record?.session?.assertions?.[0]?.held,
    ]),
  };
}

const WORDS = ['says = "Hello."', 'says = "Thank you for 12 euros."'] as const;
const CALLS = [
  'calls = [{ tool = "pay", args = { cents = 12 } }], says = "Thank you."',
  'calls = [{ tool = "pay", args = { cents = 1200 } }], says = "Thank you."',
] as const;

test.each<[string, string, readonly [string, string]]>([
  ['words of an answer', 'says = { matches = "[0-9]+ euros" }, feedback = "Name the sum."', WORDS],
  ['words that must not fall', 'not_says = "Hello"', WORDS],
  [
    'a place of the state',
    'at = "checked", equals = true',
    ['says = "Thank you."', 'calls = [{ tool = "check", args = {} }], says = "Thank you."'],
  ],
])(
  'an agent is told of %s and tries again; an assert that never holds fails the trial',
  async (_, rest, [wrong, right]) => {
    const { told, traces, report } = await held('assert', rest, wrong, right);
    expect(told).toEqual([
      ['passed', 0, true],
      ['passed', 1, true],
      ['passed', 2, true],
      ['failed', 2, false],
    ]);
    expect(report.scenarios.map((one) => sampled(one).cost.total.retries)).toEqual([0, 1, 2, 2]);
    expect(traces[3]?.record?.ending).toMatchObject({
      status: 'failed',
      reason: 'The assertion "a" does not hold, although the agent was told 2 times.',
    });
  },
);

test('a suggestion that never holds is noted, and the user hears the answer', async () => {
  const { told, traces } = await held(
    'suggest',
    'says = { matches = "[0-9]+ euros" }',
    'says = "Thank you."',
    WORDS[1],
  );
  expect(told).toEqual([
    ['passed', 0, true],
    ['passed', 1, true],
    ['passed', 2, true],
    ['passed', 2, false],
  ]);
  const said = traces[3]?.record?.turns.map(({ role, parts }) => [role, parts[0]?.kind]);
  expect(said).toEqual([
    ['user', 'text'],
    ['assistant', 'reasoning'],
    ['system', 'text'],
    ['assistant', 'reasoning'],
    ['system', 'text'],
    ['assistant', 'text'],
  ]);
});

test('a call that an assertion refuses is not carried out, and what the user never heard is not said', async () => {
  const { told, traces } = await held('assert', 'tool = "pay", where = [{ at = "cents", above = 100 }]', ...CALLS);
  // The answer behind a refused call is an answer all the same.
  expect(told.slice(0, 2)).toEqual([
    ['passed', 0, true],
    ['passed', 1, true],
  ]);
  const [, heeds] = traces;
  expect(heeds?.record?.world?.state?.after).toMatchObject({ paid: [] });
  expect(heeds?.record?.calls?.[0]).toMatchObject({ problem: 'a', result: null });

  const drafts = await held('assert', 'says = "euros"', 'says = "Thank you."', 'says = "12 euros."');
  expect(drafts.told[1]).toEqual(['failed', 1, true]);
});

test('calls are refused until tries are used up, which fails the trial', async () => {
  const cwd = aFolder();
  const refused = `{ tool = "pay", args = { cents = 12 } }`;
  writeFileSync(
    path.join(cwd, 'a.toml'),
    `${HEAD}[[tasks]]
name = "t"
user = { opening = "Here are 12 euros." }
expected = { status = "completed" }
assert = [{ name = "whole sums", tool = "pay", where = [{ at = "cents", above = 100 }] }]
agents = [{ name = "a", turns = [{ calls = [${refused}, ${refused}, { tool = "check" }], says = "Thank you." }] }]
`,
  );
  const { record, result } = await traceTrial({ cwd, file: 'a.toml', trial: 0 });
  expect(result.verdict).toBe('failed');
  expect(record?.world?.state?.after).toEqual({ paid: [], checked: false });
  expect(record?.calls?.map(({ problem }) => problem)).toEqual([
    'whole sums',
    'The assertion "whole sums" does not hold, although the agent was told once.',
  ]);
});

test('what asserts nothing, several things, or names nothing is told', async () => {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'a.toml'),
    HEAD +
      TASK(
        `assert = [
  { name = "a" },
  { name = "b", says = "x", tool = "pay" },
  { name = "c", tool = "pya", where = [{ at = "cents", above = 1 }] },
  { name = "d", tool = "pay" },
  { name = "e", says = { matches = "(" } },
]
suggest = [{ name = "a", not_says = "x" }]`,
        ...WORDS,
      ),
  );
  const { issues } = await loadSuite({ cwd, paths: ['a.toml'] });
  expect(issues.map(({ message }) => message)).toEqual([
    'This asserts nothing.',
    'This asserts several things: says, tool.',
    'The world has no tool "pya".',
    'This asserts nothing of the calls.',
    expect.stringMatching(/pattern/),
    'The task has another assertion "a".',
  ]);
});
