/**
 * The program that asks a JavaScript agent, in a process of its own. Its first argument names the module. Speaks JSON
 * lines on descriptor 3; what the agent prints goes where programs print.
 */
export const MODULE_RUNNER = `
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const channel = new Socket({ fd: 3 });
const say = (message) => channel.write(JSON.stringify(message) + '\\n');
const reason = (error) => (error instanceof Error ? error.name + ': ' + error.message : String(error));

async function find({ file, exported }) {
  let module;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new Error('The module ' + file + ' cannot be loaded: ' + reason(error));
  }
  const found = module[exported] ?? module.default?.[exported];
  if (typeof found === 'function' || typeof found?.invoke === 'function') return found;
  const names = Object.keys(module).join(', ') || 'nothing';
  const what = found === undefined ? 'exports no "' + exported + '"' : 'exports "' + exported + '", which is neither a function nor has invoke';
  throw new Error('The module ' + file + ' ' + what + '. It exports: ' + names + '.');
}

const call = (found, ...args) => (typeof found.invoke === 'function' ? found.invoke(...args) : found(...args));

// Parts of a message: texts, or objects that hold one.
const partsText = (content) =>
  typeof content === 'string' ? content : Array.isArray(content) ? content.map((part) => (typeof part === 'string' ? part : part?.text ?? '')).join('') : null;

function answerOf(result) {
  if (result === undefined || result === null) return { text: '' };
  if (typeof result === 'string') return { text: result };
  const last = Array.isArray(result.messages) ? result.messages.at(-1)?.content : undefined;
  for (const part of [result.content, result.output, result.text, last]) {
    const text = partsText(part);
    if (text !== null) return { text };
  }
  const json = JSON.stringify(result);
  return json === undefined ? { error: 'it answered with a ' + typeof result } : { json };
}

async function serve({ prompt, reset }) {
  try {
    if (reset === undefined) return answerOf(await call(agent, named.inputKey === null ? prompt : { [named.inputKey]: prompt }));
    await call(await find(reset));
    return { text: '' };
  } catch (error) {
    return { error: reason(error) };
  }
}

// Not for the agent: to it the program is one like any other.
const named = JSON.parse(process.argv[1]);
process.argv.splice(1);
let agent;
try {
  agent = await find(named);
} catch (error) {
  channel.end(JSON.stringify({ setup: error.message }) + '\\n');
}
if (agent !== undefined) {
  createInterface({ input: channel, crlfDelay: Infinity }).on('line', async (line) => say(await serve(JSON.parse(line))));
  channel.on('close', () => process.kill(process.pid, 'SIGKILL'));
  say({ ready: true });
}
`;
