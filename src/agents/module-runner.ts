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
// An error without a message is its name.
const reason = (error) => (error instanceof Error ? Error.prototype.toString.call(error) : String(error));

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
    const isTyped = error?.code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\\.[cm]?tsx?$/.test(file);
    const why = isTyped ? 'Node ' + process.versions.node + ' does not run TypeScript. Take Node 22.18 or later, or name a module in JavaScript.' : reason(error);
    throw new Error('The module ' + file + ' cannot be loaded: ' + why);
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

// What a tool gave is no word of the agent.
const textOf = (piece) => (piece?.type === 'tool' || piece?.role === 'tool' || piece?.getType?.() === 'tool' ? '' : partsText(typeof piece === 'string' ? piece : piece?.content));
// A graph gives its pieces in lists, with the name of a mode or with what else it knows of a message.
const unwrapped = (piece) => (Array.isArray(piece) && piece.length > 0 ? unwrapped(piece.find((part) => partsText(part?.content) !== null) ?? piece.at(-1)) : piece);

// Events of a model or of the AI SDK say together what the answer is. States of a graph are large, and are none.
const isEvent = (piece) => typeof piece?.type === 'string' || Array.isArray(piece?.choices) || Array.isArray(piece?.candidates);

// Of an error its words: its fields may tell a whole request.
const jsonOf = (value) =>
  JSON.stringify(value, function (key, written) {
    return this[key] instanceof Error ? reason(this[key]) : written;
  });

function eventsIn(pieces) {
  if (!pieces.some(isEvent)) return {};
  try {
    const events = jsonOf(pieces.filter(isEvent));
    return events.length > 3000000 ? {} : { pieces: events };
  } catch {
    return {};
  }
}

// Texts are one answer together; of states of a graph the last is the answer.
async function answerOfPieces(stream) {
  const decoder = new TextDecoder();
  const pieces = [];
  for await (const piece of stream) {
    if (pieces.length === 100000) throw new RangeError('its answer comes in more than 100000 pieces');
    pieces.push(piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : unwrapped(piece));
  }
  if (stream.finalOutput !== undefined) return answerOf(stream.finalOutput);
  const texts = pieces.map(textOf);
  if (!texts.includes(null)) return { text: texts.join('') + decoder.decode() };
  return { ...(await answerOf(pieces.at(-1))), ...eventsIn(pieces) };
}

// A guardrail of Mastra ends a run without an exception, and without a text.
const trippedBy = ({ tripwire, tripwireReason }) => 'a guardrail stopped it: ' + (tripwire.reason ?? tripwireReason ?? 'it does not say why');

// A stream of the AI SDK ends where its model fails, and says so elsewhere.
async function answerOfStream(result) {
  const answer = await answerOfPieces(result.textStream);
  const finishReason = await result.finishReason;
  const tripwire = await result.tripwire;
  if (tripwire) return { error: trippedBy({ tripwire, tripwireReason: await result.tripwireReason }) };
  return finishReason === 'error' ? { error: 'its stream ended with an error' } : { ...answer, ...endOf({ finishReason }) };
}

// What clients of OpenAI, of its Responses API and of Gemini give, and a run of the Claude Agent SDK or of Codex.
const isModelAnswer = ({ object, choices, candidates, type, finalResponse }) =>
  object === 'response' || Array.isArray(choices) || Array.isArray(candidates) || type === 'result' || typeof finalResponse === 'string';

// Why its model ended it, as the AI SDK, Anthropic and LangChain tell it.
function endOf({ finishReason, stop_reason, response_metadata: metadata }) {
  const why = [finishReason, stop_reason, metadata?.finish_reason, metadata?.stop_reason].find((one) => typeof one === 'string');
  return why === undefined ? {} : { finishReason: why };
}

// Of a conversation, or of the step of a graph, which has the name of its node, or of the event that ends one.
function lastMessage(returned) {
  const values = Object.values(returned);
  const holders = [returned, values.length === 1 ? values[0] : undefined, returned.data?.output];
  return holders.map((holder) => holder?.messages).find((messages) => Array.isArray(messages))?.at(-1);
}

// A refusal stands beside the text, which is empty then.
const refusalOf = (message) =>
  [message?.refusal, message?.additional_kwargs?.refusal].find((refusal) => typeof refusal === 'string') ?? '';

async function answerOf(returned) {
  if (returned === undefined || returned === null) return { text: '' };
  if (typeof returned === 'string') return { text: returned };
  if (typeof returned === 'bigint' || Number.isNaN(returned) || returned === Infinity || returned === -Infinity) return { text: String(returned) };
  if (returned instanceof Error) return { error: reason(returned) };
  if (returned instanceof Uint8Array) return { text: new TextDecoder().decode(returned) };
  if (returned instanceof Response) {
    const { status, headers } = returned;
    return { response: { status, contentType: headers.get('content-type'), body: await returned.text() } };
  }
  if (typeof returned.textStream?.[Symbol.asyncIterator] === 'function') return answerOfStream(returned);
  if (returned.tripwire) return { error: trippedBy(returned) };
  // A run of the OpenAI Agents SDK. One that streams has it once its events are read.
  if (returned.finalOutput !== undefined) return answerOf(returned.finalOutput);
  const isIterator = typeof returned.next === 'function' && Symbol.iterator in returned;
  if (isIterator || typeof returned[Symbol.asyncIterator] === 'function') return answerOfPieces(returned);
  const last = lastMessage(returned);
  if (last?.role === 'user' || last?.getType?.() === 'human') return { error: "its last message is the user's" };
  for (const part of isModelAnswer(returned) ? [] : [returned.content, returned.output, returned.text, last?.content]) {
    const text = partsText(part);
    if (text !== null) return { text: text === '' ? refusalOf(last ?? returned) : text, ...endOf(last ?? returned) };
  }
  const json = jsonOf(returned);
  // Somebody may have read the stream of a run, and give the list of what came.
  if (Array.isArray(returned) && json !== undefined) return { json, ...eventsIn(returned) };
  return json === undefined ? { error: 'it answered with a ' + typeof returned } : { json };
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
