import { addressWord, hashText, STREAM } from '../../random/draw.ts';
import type { Port } from '../../plugin/request.ts';
import {
  type Chaos,
  type ContextAttack,
  KIND_BITS,
  type LlmFault,
  type RecordedResponse,
  type ToolFault,
} from '../../types/chaos.ts';
import type { SeedWords } from '../../types/plan.ts';
import { isPromptAttack } from './context-attack-types.ts';
import { faultKinds, faultLabels, unreadFaults } from './fault-labels.ts';
import { isFailure } from './recorded-responses.ts';
import { compileGlob } from '../../values/compile-glob.ts';

/** A call of a tool as faults are matched against it. */
export interface ToolCall {
  /** Everything the tool goes by: a node, a program, an MCP tool, a function of a model, a host. */
  readonly names: readonly string[];
  /** The whole address that is called; null: none is. */
  readonly url: string | null;
}

/** Chaos with everything about it that is the same for all trials. */
export interface CompiledChaos {
  readonly words: SeedWords;
  /** As `faultLabels`; all positions refer to it. */
  readonly labels: readonly string[];
  /** `KIND_BITS` of each fault's kind, by position; 0: it proves nothing wherever it strikes. */
  readonly kinds: readonly number[];
  /** Kinds that count as struck in every trial: all that are declared where being in force is enough, else none. */
  readonly alwaysStruck: number;
  readonly tools: readonly Compiled<ToolFault>[];
  readonly models: readonly Compiled<LlmFault>[];
  readonly attacks: readonly Compiled<ContextAttack>[];
  /** Recorded answers of each tool in their order, with the position of the label of a failure; null: none are served. */
  readonly recorded: ReadonlyMap<string, readonly RecordedAt[]> | null;
}

/** A recorded answer; `at`: null for one that is no failure. */
export interface RecordedAt {
  readonly response: RecordedResponse;
  readonly at: number | null;
}

export interface Compiled<F> {
  /** Position of its label. */
  readonly at: number;
  readonly fault: F;
  /** Draws below this, of 2^32, strike. */
  readonly threshold: number;
  /** Key of its draws. */
  readonly key: number;
  /** Whether a call concerns it. */
  readonly matches: (call: ToolCall) => boolean;
}

const ALWAYS = 0x100000000;

/** `words`: from which all draws derive, as those of the scenario do. */
export function compileChaos(chaos: Chaos, words: SeedWords): CompiledChaos {
  const labels = faultLabels(chaos);
  const { toolFaults, llmFaults, contextAttacks } = chaos;
  const unread = unreadFaults(chaos);
  const kinds = faultKinds(chaos).map((kind, at): number => (unread[at] === true ? 0 : KIND_BITS[kind]));
  const compile = <F extends { readonly probability: number | null }>(
    fault: F,
    at: number,
    matches: Compiled<F>['matches'] = () => true,
  ): Compiled<F> => ({
    at,
    fault,
    threshold: fault.probability === null ? ALWAYS : Math.round(fault.probability * ALWAYS),
    key: hashText(labels[at] ?? ''),
    matches,
  });
  return {
    words,
    labels,
    kinds,
    alwaysStruck: chaos.inForce === true ? kinds.reduce((sum, kind) => sum | kind, 0) : 0,
    tools: toolFaults.map((fault, i) => compile(fault, i, toolMatcher(fault))),
    models: llmFaults.map((fault, i) => compile(fault, toolFaults.length + i)),
    attacks: contextAttacks.map((attack, i) => compile(attack, toolFaults.length + llmFaults.length + i)),
    recorded: chaos.recorded === undefined ? null : byTool(chaos.recorded, labels.length),
  };
}

/** Labels of failures are the last ones. */
function byTool(recorded: readonly RecordedResponse[], labels: number): ReadonlyMap<string, readonly RecordedAt[]> {
  const answers = new Map<string, RecordedAt[]>();
  let at = labels - recorded.filter(isFailure).length;
  for (const response of recorded) {
    const list = answers.get(response.tool) ?? [];
    list.push({ response, at: isFailure(response) ? at++ : null });
    answers.set(response.tool, list);
  }
  return answers;
}

function toolMatcher({ tool, matchUrl }: ToolFault): (call: ToolCall) => boolean {
  if (matchUrl === null) {
    const fits = compileGlob(tool);
    return ({ names }) => names.some(fits);
  }
  const fits = compileGlob(matchUrl);
  return ({ url }) => url !== null && fits(url);
}

/**
 * True: what strikes requests to this port depends on how many there were before, or is drawn by their number. False: all
 * are struck alike.
 */
export function isOrdered({ tools, models, attacks, recorded }: CompiledChaos, port: Port): boolean {
  if (recorded !== null && port !== 'model') return true;
  const faults: readonly Compiled<ToolFault | LlmFault>[] = port === 'model' ? models : tools;
  return (
    faults.some(({ threshold, fault }) => isChance(threshold) || fault.afterCalls > 0) ||
    attacks.some(
      ({ threshold, fault }) =>
        isPromptAttack(fault) === (port === 'model') &&
        (isChance(threshold) || fault.injectAt !== null || fault.payloads.length > 1),
    )
  );
}

function isChance(threshold: number): boolean {
  return threshold > 0 && threshold < ALWAYS;
}

/** The address of one draw of a fault; `call`: from 1. */
export function drawAddress({ words }: CompiledChaos, key: number, call: number): number {
  return addressWord(words, STREAM.fault, key, call);
}
