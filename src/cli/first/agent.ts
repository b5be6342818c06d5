/** The questions that `passk init --agent` writes for an agent behind this address. */
export function firstAgent(endpoint: string): string {
  return `#:schema ./session.schema.json
# Questions for an agent that answers over HTTP, each asked many times: how often does it answer right?
# Run it: passk first.toml --allow-net=${new URL(endpoint).host}

name = "first"
description = "What the agent must know, whoever asks."
trials = 50
# Two conversations of fifty may go wrong. Without it, every one must go well.
min_pass_rate = 0.96

[agent]
endpoint = ${JSON.stringify(endpoint)}
# What is sent: {messages} is the conversation so far, as role and content; {prompt} is the last message alone.
request_template = '{"messages": {messages}}'
# Where the answer stands, if it is not found by itself:
# response_path = "choices.0.message.content"
# An answer that takes longer is none, in milliseconds.
timeout = 30000

[user]
opening = "{{case.question}}"
# Said when the answer of the agent fits the pattern when.
replies = [{ when = "(?i)which day|what day", says = "This Sunday." }]

[expected]
# Must occur in what the agent says. For a pattern: { matches = "(?i)10 (am )?to (16|4 pm)" }
says = ["{{case.answer}}"]
# What no answer may hold, whatever was asked.
invariants = [{ id = "private", type = "excludes_pii" }]

# Each question is a scenario of its own. They may stand in a file instead: cases = "questions.csv", above [agent].
[[cases]]
name = "opening hours"
question = "When are you open on Sundays?"
answer = "10 to 16"

[[cases]]
name = "a question with a follow-up"
question = "Are you open at the weekend?"
answer = "10 to 16"
`;
}
