import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Looks an order up and pays it; for those that are wrong it pays without having looked. */
const agent = (wrong: readonly number[], says: string): string => `export default ({ tools }) => (message) => {
  const order = /R-\\d+/.exec(message)[0];
  const call = (name, args) => tools.find((tool) => tool.name === name).execute(args);
  if (${JSON.stringify(wrong)}.includes(Number(order.slice(2)))) {
    call('pay', { order });
    return ${JSON.stringify(says)};
  }
  call('find', { order });
  call('pay', { order });
  return ${JSON.stringify(says)};
};
`;

/** A session of recorded tools, of which nobody needs more than what was called. */
function sessionOf(order: string): string {
  const calls = `[{ tool = "find", args = { order = "${order}" } }, { tool = "pay", args = { order = "${order}" } }]`;
  return `name = "${order}"
[provenance]
source = { kind = "trace", trace_id = "trace-${order}" }
[session]
world = "${order}.tools.json"
[[tasks]]
name = "pay"
user = { opening = "Pay ${order}." }
gold = { calls = ${calls}, counts = true }
[[tasks.agents]]
name = "recorded"
turns = [{ calls = ${calls}, says = "Paid." }]
`;
}

/** A folder with a set of so many tasks in `set`, and agents `now` and `next`; `next` is wrong on some; both say the same. */
export function aGoldenSet(tasks: number, wrong: readonly number[], says = 'Paid.'): string {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'passk-golden-'));
  mkdirSync(path.join(cwd, 'set'));
  for (let at = 0; at < tasks; at++) {
    const order = `R-${at}`;
    const answers = ['find', 'pay'].map((tool) => ({ tool, args: { order }, result: true }));
    const tools = { schema: 'passk-recorded-tools/1', tools: [{ name: 'find' }, { name: 'pay' }], answers };
    writeFileSync(path.join(cwd, `set/${order}.tools.json`), JSON.stringify(tools));
    writeFileSync(path.join(cwd, `set/${order}.toml`), sessionOf(order));
  }
  for (const [name, of] of [
    ['now', []],
    ['next', wrong],
  ] as const) {
    writeFileSync(path.join(cwd, `${name}.mjs`), agent(of, says));
    writeFileSync(path.join(cwd, `${name}.toml`), `[[agents]]\nname = "desk"\nmodule = "${name}.mjs"\n`);
  }
  return cwd;
}
