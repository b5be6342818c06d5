/** A workflow with a model that says hello to everything, as the end of a contract file; keys of the turn may follow. */
export const HELLO_WORKFLOW = `
[workflow]
inline = '''
name = "answer"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "say"
type = "llm_infer"
backend = "default"
prompt = "{{prompt}}"
input_from = "trigger"
'''
[[intel.turns]]
node = "say"
repeat = true
content = "Hello."
`;
