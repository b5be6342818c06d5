import { type AnswerFacts, type Call, RECORD_VERSION, type TrialRecord, type Turn } from '../types/record.ts';
import { textParts } from './message-text.ts';

/** A record of which nothing is known but what `facts` says. */
export function newRecord({
  trial,
  ending,
  ...facts
}: Pick<TrialRecord, 'trial' | 'ending'> & Partial<TrialRecord>): TrialRecord {
  return {
    version: RECORD_VERSION,
    trial,
    ending,
    turns: [],
    calls: null,
    ledger: [],
    struck: null,
    world: null,
    documents: null,
    counters: {},
    claimed: null,
    workflow: null,
    cuts: [],
    ...facts,
  };
}

/** How a subject's trial ends that nothing stopped. */
export const COMPLETED = { status: 'completed', stoppedBy: null, reason: null, category: null } as const;

/** What the subject was told; `intended` null: as it was meant. */
export function promptTurn(text: string, intended: string | null = null): Turn {
  return { role: 'user', parts: textParts(text), intended, answer: null };
}

/** What the subject said, of which nothing is known but its text and `facts`. */
export function answerTurn(text: string, facts: Partial<AnswerFacts>): Turn {
  return {
    role: 'assistant',
    parts: textParts(text),
    intended: null,
    answer: {
      problem: null,
      asked: true,
      struck: [],
      struckBy: [],
      showsCalls: false,
      latencyMs: null,
      chunks: null,
      tokens: null,
      usage: null,
      finish: null,
      model: null,
      reference: null,
      ...facts,
    },
  };
}

/** A call for the answer at `turn`, of which nothing is known but its names and `facts`. */
export function newCall({ port, names, turn, ...facts }: Pick<Call, 'port' | 'names' | 'turn'> & Partial<Call>): Call {
  return {
    port,
    names,
    by: '',
    turn,
    args: null,
    result: null,
    problem: null,
    denied: false,
    struckBy: [],
    ...facts,
  };
}
