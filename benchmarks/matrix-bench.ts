import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resolveRunOptions } from '../src/settings/options.ts';
import { prepareRun } from '../src/suite/run-suite.ts';
import type { TrialProgram } from '../src/trial/program.ts';
import type { ScenarioPlan } from '../src/types/plan.ts';
import type { Bench, Row } from './bench.ts';
import { alternate, processorTime } from './pairs.ts';
import { programOf } from './subjects.ts';

const COLUMNS = 10;
const INVARIANTS = 10;

/**
 * A matrix of ten invariants and ten columns against as many plain trials of its workflow as it has trials of cells: one
 * trial judges all invariants of its column. The plain trials judge nothing but the end.
 */
export const matrixBench: Bench = {
  name: 'matrix',
  about: 'a contract of 10 × 10 cells against as many plain trials of its workflow',
  async run({ quick }) {
    const trials = quick ? 2000 : 10_000;
    const rows: Row[] = [];
    for (const [name, workflow] of SUBJECTS) {
      const parts = await programsOf(contractText(workflow));
      const [plain] = await programsOf(scenarioText(workflow));
      if (plain === undefined || parts.length !== COLUMNS) throw new Error(`${name} is not planned as it was meant`);
      const { a, b, ratio } = await alternate(
        quick ? 3 : 7,
        () => spent([plain], trials * COLUMNS * INVARIANTS),
        () => spent(parts, trials),
      );
      const cells = trials * COLUMNS * INVARIANTS;
      rows.push(
        { name: `${name}: a plain trial`, value: a / cells, unit: 'ns' },
        { name: `${name}: a trial of a cell`, value: b / cells, unit: 'ns' },
        { name: `${name}: matrix / as many plain trials`, value: ratio, unit: 'x', atMost: 3 },
      );
    }
    return rows;
  },
};

/** Processor time of so many trials of each program. */
function spent(programs: readonly TrialProgram[], trials: number): number {
  const before = processorTime();
  for (const program of programs) {
    const tally = program.newTally();
    program.run(0, trials, tally);
    if (tally.broken > 0 || tally.executed !== trials) throw new Error('the subject is not judged');
  }
  return processorTime() - before;
}

async function programsOf(text: string): Promise<readonly TrialProgram[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-bench-'));
  try {
    writeFileSync(path.join(folder, 'subject.toml'), text);
    const { plan } = await prepareRun(resolveRunOptions({ paths: ['subject.toml'], cwd: folder }));
    return await Promise.all(plan.scenarios.map((scenario: ScenarioPlan) => programOf(scenario)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ENDS = `
[[start_nodes]]
name = "main"
source = "manual"
entry_node = "ask"

[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "What does it cost?"
`;

const SUBJECTS: readonly (readonly [name: string, workflow: string])[] = [
  [
    'a model alone',
    `name = "model"${ENDS}
[[nodes]]
id = "done"
type = "terminate"

[[edges]]
from = "ask"
to = "done"
`,
  ],
  [
    'a model and a tool',
    `name = "tool"${ENDS}
[[nodes]]
id = "where"
type = "template_render"
template = "https://shop.example/prices"

[[nodes]]
id = "load"
type = "http_request"
method = "GET"
url_from = "where.rendered"

[[edges]]
from = "ask"
to = "where"

[[edges]]
from = "where"
to = "load"
`,
  ],
];

function subjectText(workflow: string): string {
  return `
[workflow]
inline = '''
${workflow}'''

[[world.http]]
method = "GET"
url = "https://shop.example/prices"
body = "4"

[[intel.turns]]
variants = [{ content = "It costs $4, says the source." }, { content = "Four dollars, says the source." }]
`;
}

function scenarioText(workflow: string): string {
  return `name = "plain"\n${subjectText(workflow)}\n[expected]\nmin_node_executions = 1\n`;
}

function contractText(workflow: string): string {
  return `
[contract]
name = "prices"

${RULES.map((rule, at) => `[[contract.invariants]]\nid = "rule-${at}"\n${rule}`).join('\n')}
${FAULTS.map((fault, at) => `[[contract.chaos_matrix]]\nname = "column-${at}"\n${fault}`).join('\n')}
${subjectText(workflow)}`;
}

const RULES = [
  'type = "contains"\nvalue = "source"\n',
  'type = "contains_any"\nvalues = ["source", "shop"]\n',
  'type = "excludes_pattern"\npatterns = ["internal only"]\n',
  'type = "regex"\npattern = \'(?i)source\'\n',
  'type = "regex"\npattern = \'\\$\\d{5}\'\nnegate = true\n',
  'type = "latency"\nmax_ms = 60000\n',
  'type = "output_not_empty"\n',
  'type = "completes"\n',
  'type = "excludes_pii"\n',
  'type = "refusal_check"\n',
];

const FAULTS = [
  '',
  'llm_faults = [{ mode = "truncated_response", max_tokens = 2, probability = 0.3 }]\n',
  'llm_faults = [{ mode = "empty", probability = 0.1 }]\n',
  'llm_faults = [{ mode = "garbage", probability = 0.1 }]\n',
  'llm_faults = [{ mode = "rate_limit", probability = 0.2 }]\n',
  'llm_faults = [{ mode = "timeout", delay_ms = 1000, probability = 0.2 }]\n',
  'llm_faults = [{ mode = "response_drift", drift_type = "verbosity_shift", probability = 0.5 }]\n',
  'tool_faults = [{ tool = "load", mode = "error", probability = 0.5 }]\n',
  'tool_faults = [{ tool = "*", mode = "malicious_response", probability = 0.3 }]\n',
  'context_attacks = [{ type = "memory_poisoning" }]\n',
];
