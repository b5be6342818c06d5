import { RECORD_VERSION, type TrialRecord, type Turn } from '../types/record.ts';

/** A trial of which nothing is known but what was asked and what was answered. */
export function answeredRecord({
  prompt,
  answer,
  trial = 0,
}: {
  readonly prompt: string;
  readonly answer: string;
  readonly trial?: number;
}): TrialRecord {
  const says = (role: Turn['role'], text: string): Turn => {
    return { role, parts: [{ kind: 'text', text }], intended: null, answer: null };
  };
  return {
    version: RECORD_VERSION,
    trial,
    ending: { status: 'completed', stoppedBy: null, reason: null, category: null },
    turns: [says('user', prompt), says('assistant', answer)],
    calls: [],
    ledger: [],
    struck: null,
    world: null,
    documents: null,
    counters: {},
    claimed: null,
    workflow: null,
    cuts: [],
  };
}
