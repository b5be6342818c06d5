import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planSuite, type RunSuiteOptions, runSuite, type SampledScenario } from '../../../src/index.ts';
import { rubricQuestion } from '../../../src/judges/judge-prompt.ts';
import { readRubricVerdict } from '../../../src/judges/read-rubric-verdict.ts';
import { diceOf } from '../../../src/judges/tunnel/dice.ts';
import { judgeOf } from '../a-judge.ts';
import { aRecord } from '../a-record.ts';
import type { Proof } from './proof.ts';

const KINDNESS = { name: 'kindness', models: ['fair'], criteria: [{ id: 'kind', text: 'The agent is kind.' }] };

/** Runs with a folder that holds one workflow of a single question, which a judge looks at where it should. */
async function withReply<T>(judges: string, run: (options: RunSuiteOptions) => Promise<T>): Promise<T> {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-proof-'));
  writeFileSync(
    path.join(cwd, 'reply.toml'),
    `name = "reply"
trials = 24
min_pass_rate = 0
[workflow]
inline = '''
name = "reply"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "say"
type = "llm_infer"
backend = "default"
prompt = "Is it in stock?"
'''
[[intel.turns]]
variants = [{ content = "Kindly: yes.", prompt_tokens = 20, completion_tokens = 5 }]
[expected]
status = "completed"
${judges}
`,
  );
  try {
    return await run({ cwd, paths: ['reply.toml'], seed: 3, workers: 0 });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const family: Proof = {
  name: 'no judge is asked about its own family',
  mitigation: 'the check of families when scenarios are loaded',
  holds: async (isOn) => {
    const model = (name: string) =>
      ({ provider: 'openai-compatible', model: name, baseUrl: 'http://127.0.0.1:1' }) as const;
    const models = { default: model('gpt-4.1'), fair: model('openai/gpt-4.1-mini') };
    const judges = [{ ...KINDNESS, allowSameFamily: !isOn }];
    return withReply('judges = ["kindness"]', (options) =>
      planSuite({ ...options, live: true, models, judges }).then(
        () => false,
        (error: unknown) => /is of the same family as gpt-4.1/.test(String(error)),
      ),
    );
  },
};

/** Seven forms of an answer; the judge says that one criterion is not met, where it says anything. */
const parser: Proof = {
  name: 'of seven forms of an answer four are read, three are errors, and none passes by saying nothing',
  mitigation: 'one verdict for each criterion',
  holds: (isOn) => {
    const criteria = ['polite', 'correct'];
    const [polite, correct] = criteria.map((criterion, at) => ({ criterion, met: at === 0 }));
    const said = (verdicts: readonly unknown[]): string => JSON.stringify({ mark: 'm-1', verdicts });
    const readable = [
      `\`\`\`json\n${said([polite, correct])}\n\`\`\``,
      `The set {polite, correct} is complete:\n${said([polite, correct])}\nThat is all.`,
      said([correct, polite]),
      said([polite, { criterion: 'brief', met: true }, correct]),
    ];
    const unreadable = [said([polite]), said([polite, correct, polite]), said([])];
    const read = (text: string): boolean | null => {
      if (!isOn) return readLoosely(text);
      const reading = readRubricVerdict(text, criteria, 'm-1');
      return reading.ok ? reading.verdicts.every(({ met }) => met) : null;
    };
    return readable.every((text) => read(text) === false) && unreadable.every((text) => read(text) === null);
  },
};

/** All verdicts of the first object that is found; of none of them, all are met. */
function readLoosely(text: string): boolean | null {
  const [object] = /\{"mark".*\}/.exec(text) ?? [];
  if (object === undefined) return null;
  const { verdicts } = JSON.parse(object) as { readonly verdicts: readonly { readonly met: boolean }[] };
  return verdicts.every(({ met }) => met);
}

/** The judge's tokens cost five times what the subject's do. */
const cost: Proof = {
  name: 'what a judge costs is spent on the evaluation, and not by the subject',
  mitigation: 'a kind of its own in the ledger',
  holds: async (isOn) => {
    const models = { fair: judgeOf('Kindly') };
    const run = (judges: string) =>
      withReply(judges, async (options) => {
        const report = await runSuite({ ...options, judges: [KINDNESS], models, ledger: true });
        return report.scenarios[0] as SampledScenario;
      });
    const [plain, judged] = [await run(''), await run('judges = ["kindness"]')];
    const unitsOf = ({ ledger = [] }: SampledScenario): number =>
      ledger.filter(({ kind }) => !isOn || kind !== 'judge').reduce((sum, { units }) => sum + units, 0);
    const isSpent = judged.ledger?.some(({ kind, units }) => kind === 'judge' && units === 24) === true;
    return (
      isSpent &&
      unitsOf(judged) === unitsOf(plain) &&
      JSON.stringify(judged.cost.total) === JSON.stringify(plain.cost.total)
    );
  },
};

/** A judge that changes its mind in one answer of five stands behind a cache of whole requests. */
const cache: Proof = {
  name: 'a cache of requests does not hide that a judge changes its mind',
  mitigation: 'a mark of its own for each repeat',
  holds: (isOn) => {
    const dice = diceOf(0, 'cache');
    const cached = new Map<string, boolean>();
    const ask = (trial: number, repeat: number): boolean => {
      const question = rubricQuestion({ criteria: KINDNESS.criteria, background: '' }, aRecord(`Yes, ${trial}.`), {
        repeat: isOn ? repeat : 0,
      });
      if (!question.ok) throw new Error(question.message);
      const request = JSON.stringify(question.messages);
      const answer = cached.get(request) ?? dice.coin(0.8);
      cached.set(request, answer);
      return answer;
    };
    const answers = Array.from({ length: 100 }, (_, trial) => [0, 1, 2].map((repeat) => ask(trial, repeat)));
    return answers.some((repeats) => new Set(repeats).size > 1);
  },
};

/** How judges are asked, read and paid. */
export const askingProofs: readonly Proof[] = [family, parser, cost, cache];
