/** The contract that `passk init --contract` writes: a workflow that makes up a price when its shop does not answer. */
export const FIRST_CONTRACT = `#:schema ./contract.schema.json
# A contract says what must hold whatever breaks around a workflow or an agent.
# Run it: passk contract run first.toml        Two cells fail: the workflow names a price that it cannot know.

[contract]
name = "first"
description = "What must hold while the shop and the model fail."
trials = 200
# What the subject is asked.
prompts = ["What does the blue mug cost?"]
# The score, from 0 to 1, below which it fails; a critical cell that fails does so at any score.
min_score = 0.5

# Rules. With "when", a rule is judged only in trials in which such a fault struck.
[[contract.invariants]]
id = "no-invented-price"
type = "regex"
# Single quotes keep backslashes as they are.
pattern = '\\$\\d'
negate = true
severity = "critical"
when = "tool_faults_active"

[[contract.invariants]]
id = "answers-at-all"
type = "output_not_empty"
severity = "high"

# Columns: worlds in which something breaks. The first is one in which nothing does.
[[contract.chaos_matrix]]
name = "no-chaos"

[[contract.chaos_matrix]]
name = "shop-down"
tool_faults = [{ tool = "load", mode = "error", error_code = 503 }]

[[contract.chaos_matrix]]
name = "shop-flaky"
tool_faults = [{ tool = "load", mode = "error", error_code = 500, probability = 0.3 }]

[[contract.chaos_matrix]]
name = "model-cut"
llm_faults = [{ mode = "truncated_response", max_tokens = 3 }]

# Who must obey: a workflow, as in a scenario. For an agent of your own write [agent] instead, such as:
#   [agent]
#   endpoint = "http://127.0.0.1:8000/ask"   # grant it: --allow-net=127.0.0.1:8000
#   reset_endpoint = "/reset"                # or stateless = true
# and leave out everything below.
[workflow]
inline = '''
name = "prices"

[[start_nodes]]
name = "main"
source = "manual"
entry_node = "where"

[[nodes]]
id = "where"
type = "template_render"
template = "https://shop.example/prices"

[[nodes]]
id = "load"
type = "http_request"
method = "GET"
url_from = "where.rendered"

[[nodes]]
id = "answer"
type = "llm_infer"
backend = "default"
prompt = "{{prompt}}"
input_from = "trigger"

[[nodes]]
id = "reply"
type = "respond"
body_template = "{{content}}"
content_type = "text/plain"
input_from = "answer"

[[edges]]
from = "where"
to = "load"

[[edges]]
from = "load"
to = "answer"

# To mend it, lead this edge to a node that says that the shop does not answer.
[[edges]]
from = "load"
to = "answer"
when = "error"

[[edges]]
from = "answer"
to = "reply"
'''

# The outside world, and what the model says.
[[world.http]]
method = "GET"
url = "https://shop.example/prices"
body = '{"blue mug": 4}'

[[intel.turns]]
content = "The blue mug costs $4, according to the shop."
`;
