import { PasskError } from '../errors.ts';
import type { Fault, FaultType } from '../plugin/fault-type.ts';
import type { Answer, ModelReply, ModelRequest } from '../plugin/request.ts';
import type { Variant } from '../types/scenario.ts';
import { messageOf } from '../values/message-of.ts';
import { plainUsage, textOf, textParts } from '../values/message-text.ts';

/** A variant ready to be served. */
export interface CompiledVariant {
  /** The same frozen object for every request; null: its fault looks at the request. */
  readonly constant: Answer | null;
  answer(request: ModelRequest): Answer;
}

/**
 * Prepares one variant; its fault, if any, is applied here when the request cannot matter. `turn` tells its turn's label
 * where something is wrong.
 */
export function compileVariant(
  variant: Variant,
  turn: () => string,
  faults: ReadonlyMap<string, FaultType>,
): CompiledVariant {
  if (variant.echoes === true) return echo(variant);
  if (variant.fault === undefined) {
    return new PlainVariant(variant);
  }
  const reply = replyOf(variant);
  const { type, config } = variant.fault;
  const faultType = faults.get(type);
  if (faultType === undefined) {
    throw new PasskError('PLUGIN', `Turn "${turn()}" names the unknown fault "${type}".`, {
      hint: `Known faults: ${[...faults.keys()].join(', ')}.`,
    });
  }
  const fault = attempt(type, turn, () => faultType.create(config));
  if (!Number.isSafeInteger(fault.delayUs) || fault.delayUs < 0) {
    throw new PasskError('PLUGIN', `Fault "${type}" of turn "${turn()}" takes ${fault.delayUs} µs.`, {
      hint: 'A delay is a whole number of microseconds from 0.',
    });
  }
  if (fault.ignoresRequest === true) {
    const answer = attempt(type, turn, () => faultedAnswer(type, fault, BLANK_REQUEST, reply));
    Object.freeze(answer.reply);
    Object.freeze(answer);
    return { constant: answer, answer: () => answer };
  }
  return { constant: null, answer: (request) => guardedAnswer(type, fault, request, reply) };
}

/** Says what it was asked. */
function echo(variant: Variant): CompiledVariant {
  return {
    constant: null,
    answer: ({ messages }) => {
      const content = textOf(messages.at(-1)?.parts ?? []);
      return { reply: replyOf({ ...variant, content }), delayUs: 0, source: 'turn', fault: null };
    },
  };
}

function replyOf({ content, promptTokens, completionTokens }: Variant): ModelReply {
  const parts = Object.freeze(textParts(content));
  const usage = Object.freeze(plainUsage(promptTokens, completionTokens));
  return Object.freeze({ kind: 'model', parts, finish: 'stop', usage });
}

/** What no fault touches. Made when it is first served: of many variants few are, in a run of few trials. */
class PlainVariant implements CompiledVariant {
  private readonly variant: Variant;
  private constantAnswer: Answer | null = null;

  constructor(variant: Variant) {
    this.variant = variant;
  }

  get constant(): Answer {
    this.constantAnswer ??= Object.freeze({ reply: replyOf(this.variant), delayUs: 0, source: 'turn', fault: null });
    return this.constantAnswer;
  }

  answer(): Answer {
    return this.constant;
  }
}

const BLANK_REQUEST: ModelRequest = Object.freeze({
  port: 'model',
  backend: 'default',
  messages: Object.freeze([]),
  maxTokens: null,
  repair: false,
});

function faultedAnswer(type: string, fault: Fault, request: ModelRequest, reply: ModelReply): Answer {
  return { reply: fault.apply(request, reply), delayUs: fault.delayUs, source: 'fault', fault: type };
}

// A fault that throws says nothing about the subject.
function guardedAnswer(type: string, fault: Fault, request: ModelRequest, reply: ModelReply): Answer {
  try {
    return faultedAnswer(type, fault, request, reply);
  } catch (error) {
    const message = `Fault "${type}" failed: ${messageOf(error)}`;
    return { reply: { kind: 'broken', message }, delayUs: 0, source: 'none', fault: null };
  }
}

function attempt<T>(type: string, turn: () => string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new PasskError('PLUGIN', `Fault "${type}" of turn "${turn()}" failed: ${messageOf(error)}`, { cause: error });
  }
}
