/** The scenario that `passk init` writes: a model classifies a message, a switch routes it, every answer is canned. */
export const FIRST_SCENARIO = `#:schema ./scenario.schema.json
# A scenario runs one workflow many times with canned model answers and says what must hold every time.
# Run it: passk first.toml        One trial step by step: passk trace first.toml --trial 1

name = "first"
description = "A support message is classified by a model and routed."
tags = ["tutorial"]

# How many times to run it. Which of the answers below a trial gets is drawn from the suite's seed.
trials = 200

[workflow]
inline = '''
name = "support_router"

[[start_nodes]]
name = "main"
source = "manual"
entry_node = "classify"

# The only step a model has a say in: it answers with JSON, and code reads its "label".
[[nodes]]
id = "classify"
type = "llm_infer"
backend = "default"
prompt = "Answer with JSON: is this message a refund request or a question? {{text}}"
input_from = "trigger"
output_schema = "inline"
output_repairs = 1

[[nodes]]
id = "route"
type = "switch"
expr = "classify.parsed.label"

[[nodes]]
id = "refund"
type = "template_render"
template = "Refund started: {{text}}"
input_from = "trigger"

[[nodes]]
id = "answer"
type = "terminate"

[[nodes]]
id = "done"
type = "terminate"

[[edges]]
from = "classify"
to = "route"

[[edges]]
from = "route"
when = "refund"
to = "refund"

[[edges]]
from = "route"
when = "question"
to = "answer"

[[edges]]
from = "refund"
to = "done"
'''

# What starts the run; nodes read it as "trigger".
[trigger]
payload = { text = "The lamp arrived broken." }

# The model's first answer, in variants: three in four are clean JSON, one in four is not.
[[intel.turns]]
variants = [
  { content = '{"label": "refund"}', prompt_tokens = 60, completion_tokens = 8, weight = 3 },
  { content = 'Sure! The label is refund.', prompt_tokens = 60, completion_tokens = 9, weight = 1 },
]

# The answer to the repair that asks again; only served where the first answer could not be used.
[[intel.turns]]
content = '{"label": "refund"}'
prompt_tokens = 90
completion_tokens = 8

# What must hold after every trial. Change "done" to "answer" and run it again to see a failure.
[expected]
status = "completed"
last_node = "done"
path = ["classify", "route", "refund", "done"]
path_exact = true
max_llm_calls = 2
max_policy_denials = 0
`;
