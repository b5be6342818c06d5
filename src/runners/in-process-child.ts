/**
 * The program that asks a module, in a process of passk's own Node. Its first argument is the path of the module. Speaks JSON
 * lines on descriptor 3; what the module prints goes where programs print.
 */
export const IN_PROCESS_CHILD = `
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const channel = new Socket({ fd: 3 });
const say = (message) => channel.write(JSON.stringify(message) + '\\n');
const reason = (error) => (error instanceof Error ? error.message : String(error));

// Genkit's own object has models defined on it; any other with a function generate is asked as it stands.
function modelsOf(module) {
  const named = [module.ai, module.default?.ai, module, module.default];
  const found = named.find((value) => typeof value?.generate === 'function');
  if (found === undefined) {
    const names = Object.keys(module).join(', ') || 'nothing';
    throw new Error('it exports neither Genkit\\'s "ai" nor anything with a function "generate". It exports: ' + names);
  }
  return typeof found.defineModel === 'function' ? (question, tools) => askGenkit(found, question, tools) : (question, tools) => found.generate({ ...question, ...tools });
}

const plain = (value) => (typeof value?.toJSON === 'function' ? value.toJSON() : value);

async function askGenkit(ai, { model, input, stream }, { onChunk, signal }) {
  const { tools = [], output, ...asked } = input;
  const options = { ...asked, model, returnToolRequests: true, abortSignal: signal };
  // Of this request alone: a tool that is defined would stay for all that follow.
  if (tools.length > 0) options.tools = tools.map(({ name, description = '', inputSchema, outputSchema }) => ai.dynamicTool({ name, description, inputJsonSchema: inputSchema, outputJsonSchema: outputSchema }, async () => null));
  if (output !== undefined) {
    const { schema, ...form } = output;
    options.output = schema === undefined ? form : { ...form, jsonSchema: schema };
  }
  // What the model said is judged, also where Genkit throws because of it: an answer beside its schema, or a blocked one.
  let said = null;
  options.use = [async (request, next) => (said = await next(request))];
  try {
    if (!stream) return plain(await ai.generate(options));
    const { stream: chunks, response } = ai.generateStream(options);
    response.catch(() => undefined);
    for await (const chunk of chunks) onChunk(plain(chunk));
    return plain(await response);
  } catch (error) {
    if (said === null) throw error;
    return said;
  }
}

const running = new Map();

async function serve({ id, ...question }) {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const response = await ask(question, { signal: stop.signal, onChunk: (chunk) => say({ id, chunk }) });
    say({ id, response: response ?? null });
  } catch (error) {
    const code = error?.status ?? error?.code;
    say({ id, error: reason(error), code: typeof code === 'string' || typeof code === 'number' ? code : null });
  } finally {
    running.delete(id);
  }
}

// Not for the module: to it the program is one like any other.
const file = process.argv[1];
process.argv.splice(1);
let ask;
try {
  ask = modelsOf(await import(pathToFileURL(file).href));
} catch (error) {
  channel.end(JSON.stringify({ setup: 'The module ' + file + ' cannot be used: ' + reason(error) }) + '\\n');
}
if (ask !== undefined) {
  createInterface({ input: channel, crlfDelay: Infinity }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.cancel === undefined) void serve(message);
    else running.get(message.cancel)?.abort();
  });
  channel.on('close', () => process.kill(process.pid, 'SIGKILL'));
  say({ ready: true, ids: true });
}
`;
