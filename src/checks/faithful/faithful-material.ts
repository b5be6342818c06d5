import type { FaithfulExpectation } from '../../types/faithfulness/faithful-expectation.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { textOf } from '../../values/message-text.ts';
import type { TrialView } from '../check.ts';
import type { NodePositions } from '../node-positions.ts';

/**
 * All that the subject said; of a workflow the body that it replied with, else the texts of its final value, and of an
 * answer of a model its content.
 */
export function answerOf(view: TrialView): string {
  const turns = view.turns();
  if (turns === null) return view.response?.body ?? textsIn(view.finalValue).join('\n\n');
  const said = turns.flatMap(({ role, parts }) => (role === 'assistant' ? [textOf(parts)] : []));
  // A turn that only calls tools says nothing.
  return said.filter((text) => text !== '').join('\n\n');
}

/** What may support the answer, as the expectation names it. */
export function contextsOf(view: TrialView, expectation: FaithfulExpectation, nodes: NodePositions): readonly string[] {
  const { documents, tools, texts, user } = expectation;
  const turns = view.turns() ?? [];
  return [
    ...texts,
    ...expectation.nodes.map((node) => textOfValue(view.output(nodes.of(node)) ?? '')),
    ...(view.record?.().documents ?? []).flatMap(({ source, text }) =>
      isNamed(documents, [source ?? '']) ? [text] : [],
    ),
    ...(view.calls() ?? []).flatMap(({ port, names, result, problem }) =>
      port !== 'model' && problem === null && isNamed(tools, names) ? [textOfValue(result)] : [],
    ),
    ...(user ? turns.flatMap(({ role, parts }) => (role === 'user' ? [textOf(parts)] : [])) : []),
  ];
}

function isNamed(wanted: readonly string[] | boolean, names: readonly string[]): boolean {
  return typeof wanted === 'boolean' ? wanted : names.some((name) => wanted.includes(name));
}

function textsIn(value: Json): readonly string[] {
  if (isJsonObject(value) && typeof value['content'] === 'string') return [value['content']];
  const texts: string[] = [];
  const open: Json[] = [value];
  // Values may be as deep as they like.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null) open.push(...Object.values(next as JsonObject).toReversed());
  }
  return texts;
}

function textOfValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
