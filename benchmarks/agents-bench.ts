import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runSuite } from '../src/suite/run-suite.ts';
import type { RunSuiteOptions } from '../src/settings/options.ts';
import type { Bench, Row } from './bench.ts';
import { median, processorTime } from './pairs.ts';

/** What asking an agent costs that answers at once, so that all of it is passk's own. */
export const agentsBench: Bench = {
  name: 'agents',
  about: 'processor time that passk adds to a trial of an agent, by where the agent is',
  async run({ folder, quick }) {
    const place = path.join(folder, 'agents');
    mkdirSync(place, { recursive: true });
    const trials = quick ? 2000 : 10_000;
    const rows: Row[] = [];
    for (const [name, options] of Object.entries(subjectsIn(place))) {
      const samples: number[] = [];
      // The first is for V8, which compiles what is asked often.
      await usedBy(options, trials);
      for (let sample = 0; sample < (quick ? 1 : 5); sample++) {
        samples.push(((await usedBy(options, 2 * trials)) - (await usedBy(options, trials))) / trials);
      }
      rows.push({ name: `${name}: a trial`, value: median(samples) / 1e6, unit: 'ms', atMost: 0.2 });
    }
    return rows;
  },
};

type Subject = Omit<RunSuiteOptions, 'trials' | 'workers'>;

/** Writes the files that bind the agents. */
function subjectsIn(folder: string): Readonly<Record<string, Subject>> {
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const module = write('agent.mjs', AGENT);
  const permissions = { run: [module] };
  return {
    'a module in a worker': { paths: [write('sessions.toml', SESSIONS)], permissions },
    'a function of the caller': {
      paths: [write('function.toml', WORKFLOW)],
      nodes: { agent: { summary: 'Answers at once.', reads: ['inputFrom'], run: () => ({ answer: ANSWER }) } },
    },
    'a process that stays': { paths: [write('contract.toml', CONTRACT)], permissions },
  };
}

/** Nanoseconds of processor time of this process; a process of the agent's own is not counted. */
async function usedBy(options: Subject, trials: number): Promise<number> {
  const start = processorTime();
  const { gate, summary } = await runSuite({ ...options, trials, workers: 1 });
  const used = processorTime() - start;
  if (gate.verdict !== 'pass' || summary.trials.failed > 0) throw new Error('not every trial passed');
  return used;
}

const ANSWER = 'Paris.';

const AGENT = `export default () => () => '${ANSWER}';\nexport const resident = () => '${ANSWER}';\n`;

const SESSIONS = `name = "bench"
[session]
[[agents]]
name = "agent"
module = "agent.mjs"
[[tasks]]
name = "ask"
[tasks.user]
opening = "The capital of France?"
[tasks.expected]
says = ["${ANSWER}"]
`;

const WORKFLOW = `name = "bench"
[workflow]
inline = '''
name = "bench"
[[start_nodes]]
name = "main"
source = "manual"
entry_node = "ask"
[[nodes]]
id = "ask"
type = "agent"
input_from = "trigger"
'''
[trigger]
payload = "The capital of France?"
[expected]
status = "completed"
final = { path = "answer", equals = "${ANSWER}" }
`;

const CONTRACT = `[agent]
module = "agent.mjs"
export = "resident"
stateless = true
[contract]
name = "bench"
prompts = ["The capital of France?"]
[[contract.invariants]]
id = "says"
type = "contains"
value = "${ANSWER}"
`;
