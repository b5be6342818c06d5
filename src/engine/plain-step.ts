import { PasskError } from '../errors.ts';
import type { Move, Step } from '../plugin/node-type.ts';
import { PORTS, type Request } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { ERROR_CATEGORIES, type HttpResponse } from '../types/trial.ts';
import { plainCopy } from '../values/plain-json.ts';
import { failedText } from '../values/thrown-at.ts';
import { isTooMuchWork } from '../values/work.ts';
import { MAX_VALUE_BYTES, TOO_LARGE } from './value-bytes.ts';

/**
 * A step of a plug-in whose moves are copied as plain data, so that checks, traces and other nodes all see the same. A move
 * that is none throws, which breaks the trial, and so does what the step throws. Throws for what is no step.
 */
export function plainStep(type: string, step: Step): Step {
  if (!isStep(step)) throw new TypeError('it gave no step, which has a list `reads` and a function `begin`');
  const { reads, target, after } = step;
  return {
    reads,
    ...(target !== undefined && { target }),
    begin: (inputs) =>
      plainMove(
        type,
        calledFor(type, 'begin', () => step.begin(inputs)),
      ),
    ...(after !== undefined && {
      after: (state, reply) =>
        plainMove(
          type,
          calledFor(type, 'after', () => after.call(step, state, reply)),
        ),
    }),
  };
}

/** Code of the user can make anything. */
function isStep(step: Partial<Step> | null | undefined): boolean {
  return Array.isArray(step?.reads) && typeof step.begin === 'function';
}

/** What a function of a step gives. Says of which node type it is, and where it threw. */
function calledFor(type: string, name: 'begin' | 'after', call: () => Move): Move {
  try {
    return call();
  } catch (cause) {
    if (isTooMuchWork(cause) || cause instanceof PasskError) throw cause;
    throw new Error(`\`${name}\` of the node type "${type}" ${failedText(cause, new Error('here'))}`, { cause });
  }
}

const KINDS = ['done', 'end', 'error', 'pause', 'ask'] as const satisfies readonly Move['kind'][];

/** Code of the user can return anything, such as the promise of an async function. */
function plainMove(type: string, move: Move | null | undefined): Move {
  const part = partsOf(type);
  switch (move?.kind) {
    case 'done': {
      const { output, branch, response } = move;
      const copy = plainCopy(output, { maxLength: MAX_VALUE_BYTES });
      if (!copy.ok && copy.isTooLong) return TOO_LARGE;
      if (!copy.ok) throw new Error(`Node type "${type}" gave an output that is not JSON: ${copy.reason}.`);
      return {
        kind: 'done',
        output: copy.value,
        ...(branch !== undefined && { branch: part.text('branch', branch) }),
        ...(response !== undefined && { response: part.response(response) }),
      };
    }
    case 'end': {
      const { status, reason } = move;
      return {
        kind: 'end',
        status: part.word('status', status, ['completed', 'failed']),
        ...(reason !== undefined && { reason: part.text('reason', reason) }),
      };
    }
    case 'error': {
      const { category, message, verbatim } = move;
      return {
        kind: 'error',
        category: part.word('category', category, ERROR_CATEGORIES),
        message: part.text('message', message),
        ...(verbatim === true && { verbatim }),
      };
    }
    case 'pause': {
      const { reason } = move;
      return { kind: 'pause', ...(reason !== undefined && { reason: part.text('reason', reason) }) };
    }
    case 'ask': {
      const { request, state } = move;
      // The state goes nowhere but back to the step.
      return { kind: 'ask', request: part.request(request), state };
    }
    default:
      throw new Error(notAMove(type, move));
  }
}

/** A request is bounded like everything that a walk keeps. */
const MAX_REQUEST_LENGTH = 8 * MAX_VALUE_BYTES;

/** Readers of the parts of a move; each throws what is wrong with it. */
function partsOf(type: string) {
  const wrong = (name: string, must: string): Error =>
    new Error(`Node type "${type}" returned a move whose ${name} must be ${must}.`);
  const text = (name: string, value: string): string => {
    if (typeof value !== 'string') throw wrong(name, 'text');
    return value;
  };
  const data = (name: string, value: unknown): Json => {
    const copy = plainCopy(value, { maxLength: MAX_REQUEST_LENGTH, leavesOutUndefined: true });
    if (!copy.ok) throw wrong(name, `JSON: ${copy.reason}`);
    return copy.value;
  };
  return {
    text,
    word: <W extends string>(name: string, value: W, words: readonly W[]): W => {
      if (!words.includes(value)) throw wrong(name, `one of ${words.join(', ')}`);
      return value;
    },
    response: (value: HttpResponse): HttpResponse => {
      const { status, contentType, body } = (data('response', value) ?? {}) as Partial<
        Record<keyof HttpResponse, Json>
      >;
      if (typeof status !== 'number' || typeof contentType !== 'string' || typeof body !== 'string') {
        throw wrong('response', 'an object with status, contentType and body');
      }
      return { status, contentType, body };
    },
    request: (value: Request): Request => {
      const request = data('request', value) as { readonly port?: Json } | null;
      if (!(PORTS as readonly unknown[]).includes(request?.port)) {
        throw wrong('request', `an object whose port is one of ${PORTS.join(', ')}`);
      }
      return request as Request;
    },
  };
}

function notAMove(type: string, move: Move | null | undefined): string {
  const kind: unknown = move?.kind;
  const found =
    move instanceof Promise ? 'a promise' : typeof kind === 'string' ? `a move of kind "${kind}"` : 'no move';
  return `Node type "${type}" returned ${found}: a step returns at once an object of kind ${KINDS.join(', ')}.`;
}
