/** A workflow whose model says a number, or the word for it. */
export const FLOW = `name = "numbers"
trials = 200
min_pass_rate = 0
[workflow]
inline = '''
name = "w"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [{ id = "ask", type = "llm_infer", backend = "default", prompt = "A number?", input_from = "trigger" }]
edges = []
'''
[[intel.turns]]
variants = [{ content = "7", weight = 3 }, { content = "seven" }]
[expected]
`;
