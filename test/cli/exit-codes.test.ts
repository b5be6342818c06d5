import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nameOf } from '../../src/cli/name-of.ts';
import { createProgram } from '../../src/cli/program.ts';
import { makeKeys } from '../../src/release/signing-keys.ts';
import { afterWork } from '../support/processes.ts';
import { aTerminal } from './a-terminal.ts';
import { passkHere } from './passk-here.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';
import { CONSENT, otlpTraces, traceId } from '../suite/production/otlp-traces.ts';

type Files = Readonly<Record<string, string>>;

/** A command line that ends with a code. */
interface Case {
  readonly args: readonly string[];
  readonly files?: Files;
  /** Command lines that come before it, each in the same folder. */
  readonly after?: readonly (readonly string[])[];
  /** What these end with; absent: 0. */
  readonly afterStatus?: number;
  /** Changes a file once these are done. */
  readonly spoil?: { readonly file: string; readonly change: (text: string) => string };
  /** True: it gets SIGINT in the midst of its work, so it needs a process of its own. */
  readonly isInterrupted?: true;
}

const GOOD: Files = { 'a.toml': aGreeting() };
const BAD: Files = { 'a.toml': aGreeting({ lastNode: 'greet' }) };

/** Recorded runs of as many tasks, of which each succeeds or none does. */
const runs = (reward: 0 | 1, tasks = 12): string =>
  JSON.stringify(
    Array.from({ length: tasks }, (_, task) => ({
      task_id: task,
      trial: 0,
      reward,
      info: { task: { actions: [] }, reward_info: {} },
      traj: [],
    })),
  );

const table = (row: string): Files => ({ 'rows.csv': `name,tasks,pass^1,pass^2,pass^3,pass^4\n${row}\n` });

const KEYS = makeKeys();
const release = (lastNode = 'done', faithfulness = 'faithfulness = ["suites.validation.pass_rate >= 0.5"]'): Files => ({
  'a.toml': aGreeting({ lastNode }),
  'attack.toml': aGreeting({ name: 'attack', top: 'suite = "adversarial"\n[attack]\nowasp = ["ASI01"]' }),
  'passk.toml': `[release.tiers.dev]\n${faithfulness}\n`,
  'release.key': KEYS.privateKey,
});
const RELEASE = ['release', 'run', 'a.toml', 'attack.toml', '--tier', 'dev', '--candidate-version', '1'];
const SIGNED = [...RELEASE, '--key', 'release.key', '--out', 'release.json'];
const VERIFY = ['release', 'verify', 'release.json', '--must-pass'];
const CERTIFY = ['certify', 'a.toml', '--key', 'release.key', '--out', 'a.cert'];
const certified = (lastNode = 'done'): Files => ({ 'a.toml': aGreeting({ lastNode }), 'release.key': KEYS.privateKey });

/** An audit log that ends in the middle of an entry. */
const CUT = '{"seq": 0';

/** A table of recorded runs with their tokens, and a card that prices a model of this name. */
const priced = (model: string): Files => ({
  'runs.csv': 'task,passed,prompt_tokens,completion_tokens\na,true,1000,10\nb,true,1000,10\n',
  'rates.toml': `id = "r"\neffective = "2026-11-01"\n[models.${model}]\ninput = 3\noutput = 15\n`,
});
const PRICE = ['price', 'runs.csv', '--rates', 'rates.toml'];

const CALIBRATE = ['judge', 'calibrate', 'labels.csv', '--judge', 'gpt-4.1-2025-04-14'];

const ASK = 'judge calibrate labels.jsonl --judge kindness --ask --trust --allow-run=./kind.mjs'.split(' ');

/** A judge that is a module, and two answers that it is asked about. */
const ASKED: Files = {
  'kind.mjs':
    'export default { pointwise: ({ criteria }) => ({ verdicts: criteria.map(({ id }) => ({ criterion: id, met: true })) }) };',
  'passk.toml':
    '[[judges]]\nname = "kindness"\nmodule = "./kind.mjs"\ncriteria = [{ id = "kind", text = "It is kind." }]\n',
  'labels.jsonl': '{"id":"a","human":"pass","response":"Kindly."}\n{"id":"b","human":"fail","response":"Go."}\n',
};

/** As many labels of each kind, and a judge that is wrong at regular places. */
function labels({ of, wrongEvery }: { readonly of: number; readonly wrongEvery: number }): Files {
  const rows = Array.from({ length: of }, (_, at) => {
    const isRight = at % wrongEvery !== 0;
    return `g${at},pass,${isRight ? 'pass' : 'fail'}\nb${at},fail,${isRight ? 'fail' : 'pass'}\n`;
  });
  return { 'labels.csv': `id,human,judge\n${rows.join('')}` };
}

const CANARY_STEP = ['canary', 'step', 'canary.toml', 'a.jsonl'];
const CANARY_STATUS = ['canary', 'status', 'canary.toml'];

const GOLDEN: Files = { ...GOOD, 'b.toml': aGreeting({ lastNode: 'greet' }) };
const PIN = ['golden', 'pin', 'a.toml', '--out', 'golden.json'];
const TRY = ['golden', 'run', 'golden.json', '--min-tasks', '1'];

/** A rollout of one stage, and outcomes that pass and fail. */
function rollout({
  passed = 0,
  failed = 0,
  tier = 'dev',
}: {
  readonly passed?: number;
  readonly failed?: number;
  readonly tier?: string;
}): Files {
  const lines = Array.from({ length: passed + failed }, (_, at) =>
    JSON.stringify({
      id: `r${at}`,
      at: '2026-11-01T00:00:00Z',
      arm: 'candidate',
      version: '2',
      passed: at < passed,
    }),
  );
  const bars = 'min_outcomes = 100\nmax_outcomes = 1000\nmin_pass_rate = 0.9\nmax_error_rate = 0.02';
  return {
    'canary.toml': `candidate = "2"\ntier = "${tier}"\n[[stages]]\npercent = 0\n${bars}\n`,
    'a.jsonl': lines.join('\n'),
  };
}

const SHADOW = ['canary', 'shadow', 'canary.toml', 'said.toml', '--out', 'shadow.jsonl'];
/** A session of recorded tools, and a candidate that says the same. */
const PRODUCTION: Files = {
  'said.toml': `name = "said"
[session]
world = "said.tools.json"
[[tasks]]
name = "hello"
user = { opening = "Hello." }
[[tasks.agents]]
name = "recorded"
turns = [{ says = "Hi." }]
`,
  'said.tools.json': '{"schema":"passk-recorded-tools/1","tools":[],"answers":[]}',
  'again.toml': '[[agents]]\nname = "again"\nmodule = "again.mjs"\n',
  'again.mjs': "export default () => () => 'Hi.';",
};

/** By command as its help names it, and by code. */
const CASES: Readonly<Record<string, Readonly<Record<number, Case>>>> = {
  passk: {
    0: { args: ['run', 'a.toml'], files: GOOD },
    1: { args: ['run', 'a.toml'], files: BAD },
    2: { args: ['run', 'none.toml'] },
    3: { args: ['run', 'a.toml', '--gate', 'pass^8.lower(0.95) >= 0.9'], files: GOOD },
    4: { args: SIGNED, files: { ...release(), 'release-log.jsonl': CUT } },
    130: { args: ['run', 'a.toml'], files: { 'a.toml': aGreeting({ trials: 4_000_000_000 }) }, isInterrupted: true },
  },
  compare: {
    0: { args: ['compare', 'a.json', 'b.json'], files: { 'a.json': runs(0), 'b.json': runs(1) } },
    1: { args: ['compare', 'a.json', 'b.json'], files: { 'a.json': runs(1), 'b.json': runs(0) } },
    2: { args: ['compare', 'none.json', 'b.json'] },
    3: { args: ['compare', 'a.json', 'b.json'], files: { 'a.json': runs(1), 'b.json': runs(1) } },
  },
  price: {
    0: { args: PRICE, files: priced('"*"') },
    1: { args: [...PRICE, '--max-cost-per-success', '0.000001'], files: priced('"*"') },
    2: { args: ['price', 'none.json', '--rates', 'rates.toml'], files: priced('"*"') },
    3: { args: [...PRICE, '--max-cost-per-success', '9'], files: priced('other') },
    4: {
      args: ['price', 'release.json', '--rates', 'rates.toml'],
      files: { ...release(), ...priced('"*"') },
      after: [SIGNED],
      spoil: { file: 'release.json', change: (text) => text.replace('"passed": 16', '"passed": 17') },
    },
  },
  'canary step': {
    0: { args: CANARY_STEP, files: rollout({ passed: 200 }) },
    1: { args: CANARY_STEP, files: rollout({ failed: 200 }) },
    2: { args: ['canary', 'step', 'canary.toml', 'none.jsonl'], files: rollout({}) },
    3: { args: CANARY_STEP, files: rollout({ passed: 50 }) },
    4: { args: CANARY_STEP, files: { ...rollout({ passed: 50 }), 'canary.state.json.journal': CUT } },
  },
  'canary status': {
    0: { args: CANARY_STATUS, files: rollout({ passed: 200 }), after: [CANARY_STEP] },
    1: { args: CANARY_STATUS, files: rollout({ tier: 'production' }) },
    2: { args: ['canary', 'status', 'none.toml'] },
    3: { args: CANARY_STATUS, files: rollout({}) },
    4: { args: CANARY_STATUS, files: { ...rollout({}), 'canary.state.json.journal': CUT } },
  },
  'canary rehearse': {
    0: { args: ['canary', 'rehearse', 'canary.toml', '--rollouts', '2'], files: rollout({}) },
    2: { args: ['canary', 'rehearse', 'canary.toml', '--candidate', 'bad'], files: rollout({}) },
  },
  'canary shadow': {
    0: {
      args: [...SHADOW, '--agents', 'again.toml', '--allow-run=./again.mjs'],
      files: { ...rollout({}), ...PRODUCTION },
    },
    2: { args: SHADOW, files: { ...rollout({}), ...PRODUCTION } },
  },
  'golden pin': {
    0: { args: PIN, files: GOLDEN },
    2: { args: ['golden', 'pin', 'none.toml', '--out', 'golden.json'] },
  },
  'golden run': {
    0: { args: TRY, files: GOLDEN, after: [PIN] },
    1: { args: [...TRY, 'b.toml'], files: GOLDEN, after: [PIN] },
    2: {
      args: TRY,
      files: GOLDEN,
      after: [PIN],
      spoil: { file: 'a.toml', change: (text) => `${text}# changed\n` },
    },
    3: { args: ['golden', 'run', 'golden.json'], files: GOLDEN, after: [PIN] },
  },
  'golden accept': {
    0: { args: ['golden', 'accept', 'golden.json', '--reason', 'same'], files: GOLDEN, after: [PIN, TRY] },
    2: { args: ['golden', 'accept', 'golden.json', '--reason', 'same'], files: GOLDEN, after: [PIN] },
  },
  'audit table': {
    0: { args: ['audit', 'table', 'rows.csv'], files: table('glm,50,82.5,76.0,72.0,70.0') },
    1: { args: ['audit', 'table', 'rows.csv'], files: table('glm,97,9.79,7.22,5.67,3.09') },
    2: { args: ['audit', 'table', 'none.csv'] },
    3: { args: ['audit', 'table', 'rows.csv'], files: table('glm,,82.5,76.0,72.0,70.0') },
  },
  'audit set': {
    0: { args: ['audit', 'set', 'runs.json', '--max-trivial', '1'], files: { 'runs.json': runs(1) } },
    1: { args: ['audit', 'set', 'runs.json'], files: { 'runs.json': runs(1) } },
    2: { args: ['audit', 'set', 'none.json'] },
    3: { args: ['audit', 'set', 'a.toml'], files: GOOD },
  },
  generate: {
    0: {
      args: ['generate', 'g.toml', '--out', 'made'],
      files: { 'g.toml': 'name = "g"\n[generate]\nfamily = "repair_shop"\ncount = 1\n' },
    },
    2: { args: ['generate', 'a.toml', '--out', 'made'], files: GOOD },
  },
  import: {
    0: {
      args: ['import', 'traces.jsonl', '--out', 'golden', '--consent', 'consent.toml'],
      files: {
        'traces.jsonl': otlpTraces([{ id: traceId(0), order: 'R-0', mail: 'a@b.org' }]),
        'consent.toml': CONSENT,
      },
    },
    1: {
      args: ['import', 'traces.jsonl', '--out', 'golden', '--consent', 'consent.toml'],
      files: {
        'traces.jsonl': otlpTraces([{ id: traceId(0), order: 'R-0', mail: 'a@b.org', consent: false }]),
        'consent.toml': CONSENT,
      },
    },
    2: { args: ['import', 'none.jsonl', '--out', 'golden', '--consent', 'none.toml'] },
  },
  scrub: {
    0: { args: ['scrub', 'a.jsonl', '--check'], files: { 'a.jsonl': '{}' } },
    1: { args: ['scrub', 'a.jsonl', '--check'], files: { 'a.jsonl': '{"to":"jane@example.com"}' } },
    2: { args: ['scrub', 'a.jsonl'] },
  },
  'judge tunnel': {
    0: { args: ['judge', 'tunnel', '--pairs', '100', '--trials', '2', '--protocol', 'plain'] },
    2: { args: ['judge', 'tunnel', '--protocol', 'swop'] },
  },
  'judge calibrate': {
    0: { args: CALIBRATE, files: labels({ of: 100, wrongEvery: 20 }) },
    1: { args: CALIBRATE, files: labels({ of: 100, wrongEvery: 2 }) },
    2: { args: CALIBRATE },
    // It asks, and two labels are too few.
    3: { args: ASK, files: ASKED },
  },
  'release run': {
    0: { args: SIGNED, files: release() },
    1: { args: SIGNED, files: release('greet') },
    2: { args: [...RELEASE, '--out', 'release.json'], files: release() },
    3: { args: SIGNED, files: release('done', '') },
    4: { args: SIGNED, files: { ...release(), 'release-log.jsonl': CUT } },
  },
  certify: {
    0: { args: CERTIFY, files: certified() },
    1: { args: CERTIFY, files: certified('greet') },
    2: { args: ['certify', 'a.toml', '--out', 'a.cert'], files: certified() },
    3: { args: [...CERTIFY, '--gate', 'pass^8.lower(0.95) >= 0.9'], files: certified() },
    4: {
      args: ['certify', '--check', 'a.cert'],
      files: certified(),
      after: [CERTIFY],
      spoil: { file: 'a.toml', change: (text) => `${text}# changed\n` },
    },
  },
  'release verify': {
    0: { args: VERIFY, files: release(), after: [SIGNED] },
    1: { args: VERIFY, files: release('greet'), after: [SIGNED], afterStatus: 1 },
    2: { args: ['release', 'verify', 'release.json'] },
    3: { args: VERIFY, files: release('done', ''), after: [SIGNED], afterStatus: 3 },
    4: {
      args: ['release', 'verify', 'release.json'],
      files: release(),
      after: [SIGNED],
      spoil: { file: 'release.json', change: (text) => text.replace('"passed": 16', '"passed": 17') },
    },
  },
};

/** The codes that each help lists, by command. */
async function listedCodes(): Promise<Readonly<Record<string, readonly number[]>>> {
  const { terminal, text } = aTerminal();
  const program = await createProgram(terminal, () => undefined);
  const listed: Record<string, readonly number[]> = {};
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    const before = text().length;
    command.outputHelp();
    const sentence = /^Exit codes?: ([^.]*)\./m.exec(text().slice(before))?.[1];
    if (sentence === undefined) continue;
    const codes = [...sentence.matchAll(/(?:^|[,;\n]\s*)(\d+) /g)].map(([, code]) => Number(code));
    listed[command === program ? 'passk' : nameOf(command)] = codes;
  }
  return listed;
}

test('every exit code that a help lists has a case below, and no other has', async () => {
  const cases = Object.entries(CASES).map(([name, codes]) => [name, Object.keys(codes).map(Number)] as const);
  expect(Object.fromEntries(cases)).toEqual(await listedCodes());
});

describe.each(Object.entries(CASES))('%s', (_name, codes) => {
  test.each(Object.entries(codes))('ends with %s', async (code, { args, files = {}, after = [], ...one }) => {
    const cwd = aFolder();
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(cwd, file), text);
    if (one.isInterrupted === true) {
      expect(await interrupted(args, cwd)).toBe(Number(code));
      return;
    }
    for (const first of after) expect((await passkHere(first, { cwd })).status).toBe(one.afterStatus ?? 0);
    if (one.spoil !== undefined) {
      const file = path.join(cwd, one.spoil.file);
      const text = readFileSync(file, 'utf8');
      const spoiled = one.spoil.change(text);
      expect(spoiled).not.toBe(text);
      writeFileSync(file, spoiled);
    }
    const { status, stdout, stderr } = await passkHere(args, { cwd });
    expect(status, stdout + stderr).toBe(Number(code));
  });
});

/** Interrupts it once, in the midst of its work. */
async function interrupted(args: readonly string[], cwd: string): Promise<number | null> {
  const { status } = await runPassk(args, {
    cwd,
    meanwhile: (child) => afterWork(child.pid, 350, () => child.kill('SIGINT')),
  });
  return status;
}
