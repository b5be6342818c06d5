/**
 * The program that asks a JavaScript agent, in a process of its own. Its first argument names the module. Speaks JSON
 * lines on descriptor 3; what the agent prints goes where programs print.
 */
export const MODULE_RUNNER = `
import { realpathSync } from 'node:fs';
import { Socket } from 'node:net';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const channel = new Socket({ fd: 3 });
const say = (message) => channel.write(JSON.stringify(message) + '\\n');
const reason = (error) => (error instanceof Error ? error.name + ': ' + error.message : String(error));

// Where in the module itself, which may have called others: a link to it is another name in stacks.
function placeOf(error) {
  try {
    const url = pathToFileURL(realpathSync(named.file)).href + ':';
    const line = String(error.stack).split('\\n').find((one) => one.includes(url)) ?? '';
    const [, position] = /:(\\d+:\\d+)\\)?$/.exec(line) ?? [];
    return position === undefined ? '' : ' (' + basename(named.file) + ':' + position + ')';
  } catch {
    return '';
  }
}

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

class Missing extends Error {}

// Keys of the state of a graph of LangGraph.js, or of an agent around one; its own begin with lines or hold colons.
function keysOf({ lg_is_pregel, channels, graph }) {
  const state = lg_is_pregel ? channels : graph?.lg_is_pregel ? graph.channels : {};
  return Object.keys(state).filter((key) => !key.startsWith('__') && !key.includes(':'));
}

// A graph passes over keys that it does not have, and runs on without what it was asked.
function questionFor(found, prompt) {
  const keys = keysOf(found);
  const key = named.inputKey ?? ['messages', 'input'].find((name) => keys.includes(name)) ?? (keys.length === 1 ? keys[0] : null);
  if (key === null && keys.length === 0) return prompt;
  if (key === null) throw new Missing('The agent takes ' + keys.join(', ') + '. Name the one that gets the prompt with input_key.');
  if (keys.length > 0 && !keys.includes(key)) throw new Missing('The agent takes ' + keys.join(', ') + ', and not "' + key + '".');
  return { [key]: key === 'messages' ? [{ role: 'user', content: prompt }] : prompt };
}

// Parts of a message: texts, or objects that hold one.
const partsText = (content) =>
  typeof content === 'string' ? content : Array.isArray(content) ? content.map((part) => (typeof part === 'string' ? part : part?.text ?? '')).join('') : null;

// Texts are one answer together; of states of a graph the last is the answer.
async function answerOfPieces(stream) {
  const decoder = new TextDecoder();
  const pieces = [];
  for await (const piece of stream) {
    if (pieces.length === 100000) throw new RangeError('its answer comes in more than 100000 pieces');
    pieces.push(piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : piece);
  }
  const texts = pieces.map((piece) => partsText(typeof piece === 'string' ? piece : piece?.content));
  return texts.includes(null) ? answerOf(pieces.at(-1)) : { text: texts.join('') };
}

async function answerOf(returned) {
  if (returned === undefined || returned === null) return { text: '' };
  if (typeof returned === 'string') return { text: returned };
  if (returned instanceof Response) return { text: await returned.text() };
  // As the AI SDK has it.
  const result = returned.textStream ?? returned;
  const isIterator = typeof result.next === 'function' && Symbol.iterator in result;
  if (isIterator || typeof result[Symbol.asyncIterator] === 'function') return answerOfPieces(result);
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
    if (reset === undefined) return await answerOf(await call(agent, questionFor(agent, prompt)));
    await call(await find(reset));
    return { text: '' };
  } catch (error) {
    return error instanceof Missing ? { setup: error.message } : { error: reason(error) + placeOf(error) };
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
