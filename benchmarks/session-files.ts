import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A file of tasks, with the module of its agent where that is not canned. */
export interface SessionFiles {
  readonly file: string;
  readonly module: string | null;
}

export const STEPS = 10;
export const STOCK = Object.fromEntries(
  Array.from({ length: 50 }, (_, part) => [`part-${part}`, { stock: 9, price: part }]),
);

/** In each step the agent takes a part from the shelf and asks whether to go on; in the last one it asks nothing. */
function taskOf(steps: number): string {
  const calls = Array.from({ length: steps }, (_, at) => `{ tool = "take", args = { part = "part-${at}" } }`);
  const stock = Object.entries(STOCK).map(([part, { stock: left, price }]) => {
    return `[state.stock.${part}]\nstock = ${left}\nprice = ${price}\n`;
  });
  return `name = "bench"
trials = 1
min_pass_rate = 0
[session]
calls = 20
[state]
taken = []
[[tools]]
name = "take"
parameters = { properties = { part = { type = "string" } }, required = ["part"] }
steps = [
  { get = ["stock", "{{args.part}}"], as = "found" },
  { compute = "left", value = "{{found.stock}}", minus = 1 },
  { set = ["stock", "{{args.part}}", "stock"], value = "{{left}}" },
  { append = ["taken"], value = "{{args.part}}" },
]
result = { left = "{{left}}" }
${stock.join('')}
[[tasks]]
name = "take some"
[tasks.user]
opening = "Parts, please."
replies = [{ when = "Shall I go on", says = "Yes.", times = 20 }]
[tasks.gold]
calls = [${calls.join(', ')}]
`;
}

const CANNED = `[[tasks.agents]]
name = "canned"
turns = [${Array.from(
  { length: STEPS },
  (_, at) => `
  { calls = [{ tool = "take", args = { part = "part-${at}" } }], says = "${at + 1 < STEPS ? 'Shall I go on?' : 'Here you are.'}" },`,
).join('')}
]
`;

/** The same steps as a module; with `wait`, each answer takes so many milliseconds. */
export const AGENT = `import { setTimeout as pass } from 'node:timers/promises';
export const steps = ({ tools: [take] }, wait) => {
  let at = 0;
  return async () => {
    if (wait > 0) await pass(wait);
    take.execute({ part: 'part-' + at });
    return ++at < ${STEPS} ? 'Shall I go on?' : 'Here you are.';
  };
};
export default (session) => steps(session, 0);
export const waits = (session) => steps(session, 50);
`;

/** An agent on LangGraph.js, which takes one part: its steps take so long that ten of them in each session would be an hour. */
const LANGGRAPH = `import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { fromLangGraph } from 'passk/plugin';

class Model extends BaseChatModel {
  _llmType() { return 'scripted'; }
  bindTools(tools) { return this.withConfig({ tools }); }
  async _generate(messages) {
    const isFirst = messages.length === 1;
    const content = isFirst ? '' : 'Here you are.';
    const tool_calls = isFirst ? [{ id: 'c', type: 'tool_call', name: 'take', args: { part: 'part-0' } }] : [];
    return { generations: [{ text: content, message: new AIMessage({ content, tool_calls }) }] };
  }
}

export default fromLangGraph({ tool, ToolMessage }, ({ tools }) => createReactAgent({ llm: new Model({}), tools }));
`;

/** An agent behind HTTP that is asked so many things, and asks whether to go on until the last. */
const HTTP_TASK = `name = "bench"
trials = 1
min_pass_rate = 0
[session]
[[agents]]
name = "agent"
endpoint = "URL"
request_template = '{"messages": {messages}}'
[[tasks]]
name = "talk"
[tasks.user]
opening = "Parts, please."
replies = [{ when = "Shall I go on", says = "Yes.", times = 20 }]
[tasks.expected]
says = ["Here you are"]
`;

/** A server in a thread of its own, which takes so many milliseconds an answer and tells its port. */
export const HTTP_AGENT = `const { createServer } = require('node:http');
const { parentPort, workerData: wait } = require('node:worker_threads');
createServer(async (request, response) => {
  const body = [];
  for await (const part of request) body.push(part);
  const { messages } = JSON.parse(Buffer.concat(body).toString());
  setTimeout(() => response.end(messages.length < ${2 * STEPS - 1} ? 'Shall I go on?' : 'Here you are.'), wait);
}).listen(0, '127.0.0.1', 1024, function () { parentPort.postMessage(this.address().port); });
`;

/** Writes the file of an agent behind HTTP. */
export function writeHttpSessions(folder: string, url: string): SessionFiles {
  const place = path.join(folder, 'sessions-http');
  mkdirSync(place, { recursive: true });
  const file = path.join(place, 'tasks.toml');
  writeFileSync(file, HTTP_TASK.replace('URL', url));
  return { file, module: null };
}

export type SessionSubject = 'canned' | 'module' | 'waits' | 'langgraph';

/** Writes a file of tasks into a folder of its own below this one, which stands in `.passk`. */
export function writeSessions(folder: string, subject: SessionSubject): SessionFiles {
  const place = path.join(folder, `sessions-${subject}`);
  mkdirSync(place, { recursive: true });
  const file = path.join(place, 'tasks.toml');
  if (subject === 'canned') {
    writeFileSync(file, `${taskOf(STEPS)}${CANNED}`);
    return { file, module: null };
  }
  const module = path.join(place, 'agent.mjs');
  const agent = `[[agents]]\nname = "agent"\nmodule = "agent.mjs"\nexport = "${subject === 'waits' ? 'waits' : 'default'}"\n`;
  writeFileSync(file, `${taskOf(subject === 'langgraph' ? 1 : STEPS)}${agent}`);
  writeFileSync(module, subject === 'langgraph' ? LANGGRAPH : AGENT);
  if (subject === 'langgraph') linkPackages(place, langGraphOf(folder));
  return { file, module };
}

/** Whether the framework stands where `.ci/run` puts it. */
export function hasLangGraph(folder: string): boolean {
  return existsSync(path.join(langGraphOf(folder), '@langchain', 'langgraph'));
}

function langGraphOf(folder: string): string {
  return path.resolve(folder, '..', 'langgraph', 'node_modules');
}

function linkPackages(place: string, installed: string): void {
  const packages = path.join(place, 'node_modules');
  mkdirSync(packages, { recursive: true });
  for (const name of readdirSync(installed)) symlinkSync(path.join(installed, name), path.join(packages, name));
  symlinkSync(path.resolve(installed, '..', '..', '..'), path.join(packages, 'passk'));
}
