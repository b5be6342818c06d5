import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A scenario file of ordinary size: a model's answer, a switch, two ends. Every number makes another one; `alike`: whose
 * workflow and expectations say the same as all others.
 */
export function scenarioText(number: number, alike = false): string {
  const own = alike ? 0 : number;
  return `name = "generated-${number}"
description = "Generated file ${number}: a ticket is classified and routed."
tags = ["generated", "group-${number % 17}"]
trials = 20
min_pass_rate = 0.5

[workflow]
inline = '''
name = "router_${number}"

[[start_nodes]]
name = "main"
source = "manual"
entry_node = "classify"

[[nodes]]
id = "classify"
type = "llm_infer"
backend = "default"
prompt = "Which team takes ticket ${own}? {{text}}"
input_from = "trigger"
output_schema = "inline"

[[nodes]]
id = "route"
type = "switch"
expr = "classify.parsed.team"

[[nodes]]
id = "billing"
type = "terminate"

[[nodes]]
id = "support"
type = "terminate"

[[edges]]
from = "classify"
to = "route"

[[edges]]
from = "route"
when = "billing"
to = "billing"

[[edges]]
from = "route"
when = "support"
to = "support"
'''

[trigger]
payload = { text = "Ticket ${number}: I was charged twice.", customer = { id = ${number}, plan = "basic" } }

[[intel.turns]]
variants = [
  { content = '{"team": "billing", "ticket": ${number}}', weight = 9, prompt_tokens = 30, completion_tokens = 9 },
  { content = '{"team": "support", "ticket": ${number}}', prompt_tokens = 30, completion_tokens = 9 },
]

[policy.http]
urls = ["https://api.example.com/v${number % 9}/**"]
methods = ["GET"]

[expected]
status = "completed"
path = ["classify", "route"]
forbidden_nodes = []
max_llm_calls = 1
max_total_tokens = ${100 + own}
`;
}

/** Writes so many files into a new folder, a hundred in each of its folders, and gives their paths. */
export function writeScenarioFiles(folder: string, count: number, alike = false): readonly string[] {
  return Array.from({ length: count }, (_, number) => {
    const group = path.join(folder, `group-${Math.floor(number / 100)}`);
    if (number % 100 === 0) mkdirSync(group, { recursive: true });
    const file = path.join(group, `${number}.toml`);
    writeFileSync(file, scenarioText(number, alike));
    return file;
  });
}
