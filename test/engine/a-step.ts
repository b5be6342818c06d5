import { builtinNodes } from '../../src/engine/builtin.ts';
import type { Move, NodeView, Step } from '../../src/plugin/node-type.ts';
import type { Reply, Request } from '../../src/plugin/request.ts';
import type { Json, JsonObject } from '../../src/types/json.ts';
import { plainUsage, textParts } from '../../src/values/message-text.ts';

/** What a node under test knows of its surroundings. */
export const aView: NodeView = {
  id: 'n',
  workflow: 'flow',
  backends: ['default'],
  mcpServers: [],
  compileSchema: () => () => [],
};

/** A compiled built-in node. */
export function aStep(type: string, config: JsonObject = {}, view: Partial<NodeView> = {}): Step {
  const found = builtinNodes.find((node) => node.type === type);
  if (found === undefined) throw new Error(`no built-in node ${type}`);
  return found.create(config, { ...aView, ...view });
}

/** Begins a node with inputs by path; what is not given is not found. `payload` is the trigger's payload. */
export function begin(step: Step, inputs: Readonly<Record<string, Json>> = {}): Move {
  return step.begin(step.reads.map((read) => inputs[read.from === 'payload' ? 'payload' : read.path]));
}

/** Gives a node its replies one by one: the requests it made and the move it ended with. */
export function converse(
  step: Step,
  inputs: Readonly<Record<string, Json>>,
  replies: readonly Reply[],
): { readonly requests: readonly Request[]; readonly end: Move } {
  const requests: Request[] = [];
  let move = begin(step, inputs);
  for (const reply of replies) {
    if (move.kind !== 'ask' || step.after === undefined) throw new Error(`no request is open: ${JSON.stringify(move)}`);
    requests.push(move.request);
    // State travels as plain data: what JSON cannot carry must not matter.
    move = step.after(JSON.parse(JSON.stringify(move.state)) as Json, reply);
  }
  return { requests, end: move };
}

/** A model's answer that cost 3 + 2 tokens. */
export function says(content: string): Reply {
  return { kind: 'model', parts: textParts(content), finish: 'stop', usage: plainUsage(3, 2) };
}

/** A port's answer. */
export function gives(value: Json): Reply {
  return { kind: 'value', value };
}
