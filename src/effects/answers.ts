import type { Answer } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import type { ErrorCategory } from '../types/trial.ts';
import { freezeDeep } from '../values/freeze-deep.ts';

type Source = 'memory' | 'mock' | 'effect';

/** An answer that is kept and shared between trials: frozen, so that drivers may keep what follows from it. */
export function keptAnswer(answer: Answer): Answer {
  return freezeDeep(answer);
}

/** The node's output. */
export function valueAnswer(value: Json, source: Source, delayUs = 0): Answer {
  return { reply: { kind: 'value', value }, delayUs, source, fault: null };
}

/** The world said no, as the real one would have. */
export function errorAnswer(message: string, source: Source, category: ErrorCategory = 'tool', delayUs = 0): Answer {
  return { reply: { kind: 'error', category, message, denied: false }, delayUs, source, fault: null };
}

/** The subject's policy said no; nothing has happened by then. */
export function deniedAnswer(message: string): Answer {
  return {
    reply: { kind: 'error', category: 'policy', message, denied: true },
    delayUs: 0,
    source: 'policy',
    fault: null,
  };
}

/** Nothing is declared that could answer: the trial is broken, not the subject. */
export function brokenAnswer(message: string): Answer {
  return { reply: { kind: 'broken', message }, delayUs: 0, source: 'none', fault: null };
}
