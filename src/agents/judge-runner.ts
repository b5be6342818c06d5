/**
 * The program that asks a module which judges, in a process of its own. Its first argument is the path of the module. Speaks
 * JSON lines on descriptor 3; what the module prints goes where programs print.
 */
export const JUDGE_RUNNER = `
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const channel = new Socket({ fd: 3 });
const say = (message) => channel.write(JSON.stringify(message) + '\\n');
// An error without a message is its name.
const reason = (error) => (error instanceof Error ? Error.prototype.toString.call(error) : String(error));

async function find(file) {
  let module;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new Error('The module ' + file + ' cannot be loaded: ' + reason(error));
  }
  const found = module.default;
  if (['pointwise', 'pairwise', 'verify'].some((name) => typeof found?.[name] === 'function')) return found;
  throw new Error('The module ' + file + ' exports no judge: its default export has a function pointwise, pairwise or verify, as defineJudge of passk/plugin takes them.');
}

// What a model says besides is passed over; of a module it is a mistake in its code.
function problemIn({ criteria, claims }, kind, { verdicts, usage }) {
  if (kind !== 'pairwise' && Array.isArray(verdicts)) {
    const asked = (kind === 'verify' ? claims : criteria).map(({ id }) => id);
    const other = verdicts.map((verdict) => verdict?.criterion).find((id) => typeof id === 'string' && !asked.includes(id));
    if (other !== undefined) return 'the module rules on "' + other + '", and is asked about ' + asked.join(', ');
  }
  if (usage === undefined || usage === null) return null;
  const wrong = ['promptTokens', 'completionTokens'].find((key) => !(Number.isSafeInteger(usage[key]) && usage[key] >= 0));
  return wrong === undefined ? null : 'usage.' + wrong + ' of the module is no count of tokens';
}

async function serve({ prompt }) {
  try {
    const { kind, mark, ...question } = JSON.parse(prompt);
    if (typeof judge[kind] !== 'function') return { error: 'the module has no function ' + kind };
    const said = await judge[kind](question);
    if (typeof said === 'string') return { text: said };
    if (typeof said !== 'object' || said === null) return { error: 'the module gave no verdict' };
    const { usage, ...verdicts } = said;
    const problem = problemIn(question, kind, said);
    if (problem !== null) return { error: problem };
    return { text: JSON.stringify({ ...verdicts, mark }), usage };
  } catch (error) {
    return { error: reason(error) };
  }
}

// Not for the judge: to it the program is one like any other.
const file = process.argv[1];
process.argv.splice(1);
let judge;
try {
  judge = await find(file);
} catch (error) {
  channel.end(JSON.stringify({ setup: error.message }) + '\\n');
}
if (judge !== undefined) {
  createInterface({ input: channel, crlfDelay: Infinity }).on('line', async (line) => say(await serve(JSON.parse(line))));
  channel.on('close', () => process.kill(process.pid, 'SIGKILL'));
  say({ ready: true });
}
`;
