import type { ContractPartResult } from '../../../src/suites/contract/part-result.ts';
import type { Chaos, ToolFault } from '../../../src/types/chaos.ts';
import type { Contract } from '../../../src/types/contract.ts';
import type { Invariant } from '../../../src/types/invariant.ts';

const quiet: Chaos = { toolFaults: [], llmFaults: [], contextAttacks: [] };

const toolDown: ToolFault = {
  tool: 'search',
  matchUrl: null,
  mode: 'error',
  delayMs: 0,
  errorCode: 503,
  message: 'Service Unavailable',
  payload: '',
  probability: null,
  afterCalls: 0,
};

/** A rule that an answer must contain `ok`. */
export function anInvariant(changes: Partial<Invariant> = {}): Invariant {
  return {
    id: 'says-ok',
    severity: 'medium',
    when: 'always',
    negate: false,
    probes: [],
    rule: { type: 'contains', value: 'ok' },
    ...changes,
  };
}

/** Two columns, a quiet one and one without search; one prompt, one trial. */
export function aContract(changes: Partial<Contract> = {}): Contract {
  return {
    kind: 'contract',
    name: 'Shop',
    file: 'shop.toml',
    phase: 'contract',
    invariants: [anInvariant()],
    matrix: [
      { name: 'no-chaos', ...quiet },
      { name: 'search-down', ...quiet, toolFaults: [toolDown] },
    ],
    prompts: ['Hello?'],
    trials: 1,
    minPassRate: 1,
    minScore: null,
    scoring: { mutation: 0.2, chaos: 0.35, contract: 0.35, replay: 0.1 },
    subject: { kind: 'workflow' },
    ...changes,
  };
}

export interface PartNumbers {
  readonly column?: string;
  readonly contract?: string;
  readonly prompt?: string;
  readonly at?: number;
  readonly judged?: readonly string[];
  readonly trials?: number;
  readonly broken?: number;
  readonly missing?: number;
  /** Disobeying trials of each invariant. */
  readonly disobeyed?: Readonly<Record<string, readonly number[]>>;
  /** How often each declared fault fired; each counts as a fault of tools. */
  readonly fired?: Readonly<Record<string, number>>;
  /** Trials that no declared fault struck, from the last one backwards; absent: all where none fired, else none. */
  readonly calm?: number;
}

/** What one part gave: trials 0 … trials − 1, of which the last ones are broken or did not run. */
export function aPart(numbers: PartNumbers = {}): ContractPartResult {
  const { column = 'no-chaos', contract = 'Shop', prompt = 'Hello?', at = 0, judged = ['says-ok'] } = numbers;
  const { trials = 1, broken = 0, missing = 0, disobeyed = {}, fired = {} } = numbers;
  const ended = trials - broken - missing;
  const { calm = Object.values(fired).some((count) => count > 0) ? 0 : ended } = numbers;
  const name = `${contract}: ${column}, ${prompt}`;
  const failing = [...new Set(Object.values(disobeyed).flat())].sort((a, b) => a - b);
  const failedBy = (trial: number): readonly string[] =>
    Object.entries(disobeyed).flatMap(([id, list]) => (list.includes(trial) ? [id] : []));
  const classes = new Map<string, number[]>();
  for (const trial of failing) {
    const key = failedBy(trial).join();
    classes.set(key, [...(classes.get(key) ?? []), trial]);
  }
  return {
    kind: 'contract',
    of: contract,
    column,
    prompts: [prompt],
    at,
    judged,
    report: {
      name,
      trials: {
        requested: trials,
        executed: trials - missing,
        deduplicated: 0,
        passed: trials - missing - broken - failing.length,
        failed: failing.length,
        broken,
      },
      checks: Object.entries(disobeyed).map(([check, list]) => ({ check, failed: list.length })),
      failureClasses: [...classes].map(([key, list]) => ({
        checks: key.split(','),
        count: list.length,
        lowestTrial: Math.min(...list),
      })),
      failures: [],
      ...(Object.keys(fired).length > 0 && {
        chaos: Object.entries(fired).map(([fault, count]) => ({
          fault,
          kind: 'tool' as const,
          fired: count,
          trials: Math.min(count, trials),
        })),
        calls: [],
        rulings: judged.map((check) => ({
          check,
          judged: ended,
          struck: ended - calm,
          disobeyedStruck: (disobeyed[check] ?? []).filter((trial) => trial < ended - calm).length,
          undecided: 0,
          unasked: 0,
          advised: 0,
        })),
      }),
    },
    seen: failing.map((trial) => ({
      trial,
      findings: failedBy(trial).map((check) => ({
        check,
        verdict: 'fail',
        expected: 'ok',
        got: `answer ${trial}`,
        message: `${check}: expected ok`,
      })),
      answers: [{ prompt, text: `answer ${trial}` }],
      fired: Object.keys(fired),
    })),
    replay: (trial) => `passk trace shop.toml --part '${column}' --trial ${trial}`,
  };
}
