import { RECORD_VERSION, type TrialRecord, type Turn } from '../../src/types/record.ts';

/** A trial whose subject answered `answer`, after a call of a tool that gave `result`. */
export function aRecord(answer: string, { result = 'in stock' }: { readonly result?: string } = {}): TrialRecord {
  const says = (role: Turn['role'], text: string): Turn => {
    return { role, parts: [{ kind: 'text', text }], intended: null, answer: null };
  };
  return {
    version: RECORD_VERSION,
    trial: 0,
    ending: { status: 'completed', stoppedBy: null, reason: null, category: null },
    turns: [says('user', 'Is the blue kettle in stock?'), says('assistant', answer)],
    calls: [
      {
        port: 'tool',
        names: ['look_up_stock'],
        by: '',
        turn: 1,
        args: { item: 'blue kettle', shop: 7 },
        result,
        problem: null,
        denied: false,
        struckBy: [],
      },
    ],
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
