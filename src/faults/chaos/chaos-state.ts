import { combine, hashText, trialMask, trialWord } from '../../random/draw.ts';
import type { ContextAttack, LlmFault, ToolFault } from '../../types/chaos.ts';
import type { Strike } from '../../types/record.ts';
import { type Compiled, type CompiledChaos, drawAddress, type ToolCall } from './compile-chaos.ts';
import { contextAttackTypes, isPromptAttack } from './context-attack-types.ts';
import { declaredStrikes } from './declared-strikes.ts';
import { RecordedCalls } from './recorded-calls.ts';
import { toolFaultTypes } from './tool-fault-types.ts';
import type { ToolStrike } from './tool-strike.ts';

/** What strikes one model request. Equal lists of `changes` are the same object, so that what follows can be kept. */
export interface ModelStrike {
  /** What is done to the prompt, in this order; see `attackPrompt`. */
  readonly prompt: readonly Attack[];
  /** A timeout or a rate limit instead of an answer; null: the model is asked. */
  readonly instead: Struck<LlmFault> | null;
  /** What is done to the answer, in this order; see `changeAnswer`. Who does it reports by `fire` what changed something. */
  readonly changes: readonly Struck<LlmFault>[];
}

/** A fault that strikes. */
export interface Struck<F> {
  /** Position of its label. */
  readonly at: number;
  readonly label: string;
  readonly fault: F;
}

/** A context attack that strikes, with the payload that was drawn for it. */
export interface Attack {
  readonly at: number;
  readonly label: string;
  readonly attack: ContextAttack;
  readonly payload: string;
}

/** What a subject takes in: the result of a tool that it called, or a document that it read. */
export type ResultKind = 'tool' | 'document';

/**
 * What goes wrong in one trial at a time: counts calls, draws for each, and counts what fired. All draws follow from the
 * seed, the trial, the fault's label and the number of the call among those that concern the fault, so that a trial gives
 * the same alone, in any order and on any thread, and nothing of it is left for the next one.
 *
 * Whoever makes calls on a subject's behalf asks it at three points: `onTool` before a tool is called, `onResult` when a
 * tool has answered, `onModel` before a model is asked.
 */
export class ChaosState {
  /** How often each declared fault fired in this trial, in the order of `faultLabels`. */
  readonly fired: Float64Array;
  readonly labels: readonly string[];
  private readonly chaos: CompiledChaos;
  /** Names of the calls of tools in this trial, where faults of tools are declared. */
  readonly calls = new Set<string>();
  /** Calls so far that concern each fault. */
  private readonly counts: Float64Array;
  private word = 0;
  private mask = 0;
  private kindsStruck: number;
  private kindsSinceTaken: number;
  private readonly concerned = new WeakMap<ToolCall, readonly number[]>();
  private readonly toolStrikes = new Map<string, ToolStrike>();
  private readonly attacks: ReadonlyMap<Compiled<ContextAttack>, readonly Attack[]>;
  private readonly modelStrikes = new Map<string, ModelStrike>();
  /** Null: tools are called. */
  private readonly recorded: RecordedCalls | null;

  constructor(chaos: CompiledChaos) {
    const { labels } = chaos;
    this.chaos = chaos;
    this.labels = labels;
    this.kindsStruck = chaos.alwaysStruck;
    this.kindsSinceTaken = chaos.alwaysStruck;
    this.fired = new Float64Array(labels.length);
    this.counts = new Float64Array(labels.length);
    this.recorded = chaos.recorded === null ? null : new RecordedCalls(chaos.recorded, labels);
    this.attacks = new Map(chaos.attacks.map((compiled) => [compiled, attacksOf(compiled, labels)]));
  }

  /** Begins a trial: nothing has been called. */
  begin(trial: number): void {
    this.word = trialWord(this.chaos.words, trial);
    this.mask = trialMask(this.chaos.words, trial);
    this.counts.fill(0);
    this.calls.clear();
    this.recorded?.begin();
    this.fired.fill(0);
    this.kindsStruck = this.chaos.alwaysStruck;
    this.kindsSinceTaken = this.chaos.alwaysStruck;
  }

  /** Kinds of faults that fired so far in this trial, or count as if they had, as a sum of `KIND_BITS`. */
  get struck(): number {
    return this.kindsStruck;
  }

  /** The same since the last time: of one answer of a trial with several. */
  takeStruck(): number {
    const kinds = this.kindsSinceTaken;
    this.kindsSinceTaken = this.chaos.alwaysStruck;
    return kinds;
  }

  /** What strikes this call; counted as fired. `slow` faults add up, and the first other one comes instead of the call. */
  onTool(call: ToolCall): ToolStrike {
    this.noteCall(call.names[0]);
    if (this.recorded !== null) return this.replayed(this.recorded, call);
    const concerning = this.concerning(call);
    const striking: number[] = [];
    let isOver = false;
    for (const i of concerning) {
      const compiled = this.chaos.tools[i] as Compiled<ToolFault>;
      if (!this.strikes(compiled, compiled.fault.afterCalls) || isOver) continue;
      this.fire(compiled.at);
      striking.push(i);
      isOver = toolFaultTypes[compiled.fault.mode].isDelay !== true;
    }
    return striking.length === 0 ? NO_TOOL_STRIKE : this.toolStrike(striking);
  }

  /** True: tools are not called, but answered as they were recorded. */
  get isReplay(): boolean {
    return this.recorded !== null;
  }

  /** What is put into an answer that the subject is about to take in; counted as fired. */
  onResult(kind: ResultKind): readonly Attack[] {
    const wanted = kind === 'tool' ? 'result' : 'document';
    return this.strikingAttacks(({ type }) => contextAttackTypes[type].strikes === wanted);
  }

  /** What strikes this model request; what is done to the prompt and comes instead of an answer is counted as fired. */
  onModel(): ModelStrike {
    const { models } = this.chaos;
    const prompt = this.strikingAttacks(isPromptAttack);
    const striking: number[] = [];
    for (let i = 0; i < models.length; i++) {
      const compiled = models[i] as Compiled<LlmFault>;
      if (this.strikes(compiled, compiled.fault.afterCalls)) striking.push(i);
    }
    const strike = striking.length === 0 ? NO_MODEL_STRIKE : this.modelStrike(striking);
    if (strike.instead !== null) this.fire(strike.instead.at);
    return prompt.length === 0 ? strike : { ...strike, prompt };
  }

  /** Counts a fault as fired. */
  fire(at: number, times = 1): void {
    this.fired[at] = (this.fired[at] as number) + times;
    this.kindsStruck |= this.chaos.kinds[at] as number;
    this.kindsSinceTaken |= this.chaos.kinds[at] as number;
  }

  /** Remembers the name of a call of a tool, so that a fault whose name fits none can be told. */
  noteCall(name: string | undefined): void {
    if (name !== undefined && (this.chaos.tools.length > 0 || this.recorded !== null)) this.calls.add(name);
  }

  /** Each declared fault that fired so far in this trial, or counts as if it had. */
  struckFaults(): readonly Strike[] {
    return declaredStrikes(this.chaos, this.fired);
  }

  /** Labels of what fired so far in this trial. */
  firedLabels(): readonly string[] {
    return this.labels.filter((_, at) => (this.fired[at] as number) > 0);
  }

  private replayed(recorded: RecordedCalls, call: ToolCall): ToolStrike {
    const { strike, at } = recorded.next(call.names);
    if (at !== null) this.fire(at);
    return strike;
  }

  /** Positions among the tool faults; kept for calls that come again as the same object. */
  private concerning(call: ToolCall): readonly number[] {
    const hit = this.concerned.get(call);
    if (hit !== undefined) return hit;
    const found = [...this.chaos.tools.keys()].filter((i) => this.chaos.tools[i]?.matches(call) === true);
    this.concerned.set(call, found);
    return found;
  }

  // The call is counted and drawn for in any case, so that neither depends on what else strikes.
  private strikes(compiled: Compiled<unknown>, afterCalls: number): boolean {
    const call = this.count(compiled);
    return this.isDrawn(compiled, call) && call > afterCalls;
  }

  private strikingAttacks(concerns: (attack: ContextAttack) => boolean): readonly Attack[] {
    let striking: Attack[] | null = null;
    for (const compiled of this.chaos.attacks) {
      const { fault } = compiled;
      if (!concerns(fault)) continue;
      const call = this.count(compiled);
      if (!this.isDrawn(compiled, call) || (fault.injectAt !== null && fault.injectAt !== call)) continue;
      const attack = this.choose(compiled, call);
      this.fire(attack.at);
      if (striking === null) striking = [attack];
      else striking.push(attack);
    }
    return striking ?? NONE;
  }

  private choose(compiled: Compiled<ContextAttack>, call: number): Attack {
    const attacks = this.attacks.get(compiled) as readonly Attack[];
    if (attacks.length === 1) return attacks[0] as Attack;
    const drawn = combine(this.word, this.mask, drawAddress(this.chaos, hashText(PAYLOAD, compiled.key), call));
    return attacks[Math.floor((drawn / 0x100000000) * attacks.length)] as Attack;
  }

  private count({ at }: Compiled<unknown>): number {
    const call = (this.counts[at] as number) + 1;
    this.counts[at] = call;
    return call;
  }

  private isDrawn({ threshold, key }: Compiled<unknown>, call: number): boolean {
    return threshold === 0x100000000 || combine(this.word, this.mask, drawAddress(this.chaos, key, call)) < threshold;
  }

  private toolStrike(striking: readonly number[]): ToolStrike {
    const hit = this.toolStrikes.get(striking.join());
    if (hit !== undefined) return hit;
    const struck = striking.map((i) => this.chaos.tools[i] as Compiled<ToolFault>);
    const waits = struck.filter(({ fault }) => toolFaultTypes[fault.mode].isDelay === true);
    const instead = struck.find(({ fault }) => toolFaultTypes[fault.mode].isDelay !== true);
    const strike: ToolStrike = Object.freeze({
      waitMs: waits.reduce((sum, { fault }) => sum + fault.delayMs, 0),
      fault: instead?.fault ?? null,
      label: struck.map(({ at }) => this.labels[at]).join(', '),
    });
    if (this.toolStrikes.size < MAX_STRIKES) this.toolStrikes.set(striking.join(), strike);
    return strike;
  }

  private modelStrike(striking: readonly number[]): ModelStrike {
    const hit = this.modelStrikes.get(striking.join());
    if (hit !== undefined) return hit;
    const struck = striking.map((i): Struck<LlmFault> => {
      const { at, fault } = this.chaos.models[i] as Compiled<LlmFault>;
      return { at, label: this.labels[at] ?? '', fault };
    });
    const instead =
      struck.find(({ fault }) => fault.mode === 'timeout') ??
      struck.find(({ fault }) => fault.mode === 'rate_limit') ??
      null;
    const strike: ModelStrike = Object.freeze({
      prompt: NONE,
      instead,
      changes: instead === null ? struck : NO_CHANGES,
    });
    if (this.modelStrikes.size < MAX_STRIKES) this.modelStrikes.set(striking.join(), strike);
    return strike;
  }
}

/** Strikes that are kept; more only costs time. */
const MAX_STRIKES = 1024;
/** What the choice of a payload is drawn for, besides the attack. */
const PAYLOAD = 'payload';
const NONE: readonly Attack[] = Object.freeze([]);
const NO_TOOL_STRIKE: ToolStrike = Object.freeze({ waitMs: 0, fault: null, label: null });
const NO_CHANGES: readonly Struck<LlmFault>[] = Object.freeze([]);
const NO_MODEL_STRIKE: ModelStrike = Object.freeze({ prompt: NONE, instead: null, changes: NO_CHANGES });

function attacksOf({ at, fault }: Compiled<ContextAttack>, labels: readonly string[]): readonly Attack[] {
  const payloads = fault.payloads.length === 0 ? [''] : fault.payloads;
  return payloads.map((payload) => Object.freeze({ at, label: labels[at] ?? '', attack: fault, payload }));
}
