import { LOOP_TOOLS } from './loop-tools.ts';

/** What the model of an agent loop is told before its task. `offersFunctions`: some tools are declared to it as functions. */
export function loopProtocol(tools: readonly string[], offersFunctions = false): string {
  const lines = tools.map((tool) => `- ${tool} ${LOOP_TOOLS.get(tool)?.usage ?? '{}'}`);
  return [
    'You solve the task below step by step. Each of your replies is exactly one JSON object, nothing else:',
    '{"action": "tool", "tool": NAME, "args": {…}} calls a tool;',
    '{"action": "final", "result": ANY_JSON} ends the task with its result.',
    '',
    lines.length === 0 ? 'There are no tools.' : 'Tools and their arguments:',
    ...lines,
    '',
    'A call is answered with {"tool_result": …}; a call that failed or was refused with {"tool_result": {"error": TEXT}};',
    'a reply that is not such an object with {"error": TEXT}.',
    ...(offersFunctions
      ? ['', 'Tools that are offered to you as functions are called as such, and not by an object.']
      : []),
  ].join('\n');
}
