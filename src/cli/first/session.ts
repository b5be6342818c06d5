/** The tasks that `passk init --session` writes: a world with two tools, a user, and two canned agents, of which one is wrong at times. */
export const FIRST_SESSION = `#:schema ./session.schema.json
# Tasks for an agent with tools: a user talks to it, its calls change a world, and the world is compared in the end.
# Run it: passk first.toml        The agent "hasty" pays too much in one session of four.

name = "first"
description = "Customers of a shop want their money back."
# Sessions of each agent on each task.
trials = 200

[session]
# What the user says, and calls of tools, at most.
messages = 6
calls = 10

# What the world holds when a session begins. Amounts are cents.
[state]
refunds = []
[state.orders.R-100]
item = "lamp"
cents = 4500

# What the agent can do. A tool is its steps; a call that fits no tool, or fails, tells the agent so.
[[tools]]
name = "find_order"
description = "Says what was ordered, and what it cost."
parameters = { properties = { order = { type = "string" } }, required = ["order"] }
steps = [
  { get = ["orders", "{{args.order}}"], as = "order" },
  { fail = "There is no such order.", when = [{ value = "{{order}}", exists = false }] },
]
result = "{{order}}"

[[tools]]
name = "refund"
description = "Pays money back."
parameters = { properties = { order = { type = "string" }, cents = { type = "integer", minimum = 1 } }, required = ["order", "cents"] }
steps = [{ append = ["refunds"], value = { order = "{{args.order}}", cents = "{{args.cents}}" } }]
result = "Done."

[[tasks]]
name = "pay back a broken lamp"

# A user that follows a script: it says what it knows when it is asked.
[tasks.user]
opening = "The lamp arrived broken. I want my money back."
known = { order = { value = "R-100", asked = ["(?i)order"], says = "It was {{value}}." } }

# What should have been done: the world must become what these calls make of a fresh one.
[tasks.gold]
calls = [{ tool = "refund", args = { order = "R-100", cents = 4500 } }]

# What an agent says and calls, turn by turn. Canned agents try tasks and tools before a model is paid for them.
[[tasks.agents]]
name = "careful"
turns = [
  { says = "Sorry to hear that. Which order was it?" },
  { calls = [{ tool = "find_order", args = { order = "R-100" } }] },
  { calls = [{ tool = "refund", args = { order = "R-100", cents = 4500 } }], says = "45 euros are on their way." },
]

[[tasks.agents]]
name = "hasty"
turns = [
  { says = "Sorry to hear that. Which order was it?" },
  { variants = [
    { weight = 3, calls = [{ tool = "refund", args = { order = "R-100", cents = 4500 } }], says = "45 euros are on their way." },
    { weight = 1, calls = [{ tool = "refund", args = { order = "R-100", cents = 45000 } }], says = "450 euros are on their way." },
  ] },
]

# An agent of your own takes their place. One behind HTTP, which --allow-net=localhost:8000 grants and which is served
# these tools over MCP:
#   [[agents]]
#   name = "mine"
#   endpoint = "http://localhost:8000/chat"
#   request_template = '{"messages": {messages}, "tools": "{tools_url}"}'
`;
