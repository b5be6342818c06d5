/** What the agent of a finance contract answers, and changes to the contract. */
export interface FinanceSubject {
  readonly answer: string;
  /** The pattern of dollar figures as it stands in the file. */
  readonly figures?: string;
  /** False: every invariant is judged in every column, as the reference does. */
  readonly conditions?: boolean;
  readonly trials?: number;
}

/** The pattern of the published example: in single quotes each backslash stays doubled, so that it matches nothing. */
export const DOUBLED = String.raw`\\$[\\d,]+\\.\\d{2}`;
/** The same as its author meant it. */
export const MEANT = String.raw`\$[\d,]+\.\d{2}`;

/** The contract of the published example over a workflow that asks its market data and then its model. */
export function aFinanceContract({ answer, figures = DOUBLED, conditions = true, trials = 1 }: FinanceSubject): string {
  const when = (word: string): string => (conditions ? word : 'always');
  return `
[contract]
name = "Finance Agent Contract"
description = "Invariants that must hold under all failure conditions"
prompts = ["What was the revenue of Acme in 2023?"]
trials = ${trials}

[[contract.invariants]]
id = "always-cite-source"
type = "regex"
pattern = "(?i)(source|according to|reference)"
severity = "critical"
when = "always"
description = "Must always cite a data source"

[[contract.invariants]]
id = "never-fabricate-when-tools-fail"
type = "regex"
pattern = '${figures}'
negate = true
severity = "critical"
when = "${when('tool_faults_active')}"
description = "Must not return dollar figures when tools are failing"

[[contract.invariants]]
id = "max-latency"
type = "latency"
max_ms = 60000
severity = "medium"
when = "always"

[[contract.chaos_matrix]]
name = "no-chaos"
tool_faults = []
llm_faults = []

[[contract.chaos_matrix]]
name = "search-tool-down"
tool_faults = [{ tool = "market_data_api", mode = "error", error_code = 503 }]

[[contract.chaos_matrix]]
name = "llm-degraded"
llm_faults = [{ mode = "truncated_response", max_tokens = 20 }]

[workflow]
inline = '''
name = "finance-agent"

[[start_nodes]]
name = "main"
source = "manual"
entry_node = "where"

[[nodes]]
id = "where"
type = "template_render"
template = "https://market.example/revenue"

[[nodes]]
id = "market_data_api"
type = "http_request"
method = "GET"
url_from = "where.rendered"

[[nodes]]
id = "write"
type = "llm_infer"
backend = "default"
input_from = "trigger"
prompt = "{{prompt}}"

[[nodes]]
id = "answer"
type = "respond"
input_from = "write"
body_template = "{{content}}"

[[edges]]
from = "where"
to = "market_data_api"

[[edges]]
from = "market_data_api"
to = "write"

[[edges]]
from = "market_data_api"
to = "write"
when = "error"

[[edges]]
from = "write"
to = "answer"
'''

[[world.http]]
method = "GET"
url = "https://market.example/revenue"
body = '{"revenue": 4200000}'

[[intel.turns]]
content = ${JSON.stringify(answer)}
`;
}
