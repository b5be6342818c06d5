import { wilsonInterval } from '../../src/stats/wilson.ts';
import type {
  ContractCell,
  ContractColumn,
  ContractEvidence,
  ContractReport,
  ContractRow,
} from '../../src/types/reports/contract-report.ts';
import type { Severity } from '../../src/types/invariant.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aReport } from './a-report.ts';

const STATES = { p: 'passed', f: 'failed', n: 'not_applicable', i: 'inconclusive', b: 'broken' } as const;

export interface ContractNumbers {
  /** A text for each invariant, with a letter for each column: p, f, n, i or b. */
  readonly cells: readonly string[];
  readonly ids?: readonly string[];
  readonly severities?: readonly Severity[];
  readonly columns?: readonly string[];
  readonly trials?: number;
  readonly evidence?: Partial<ContractEvidence>;
}

const WEIGHTS = { critical: 3, high: 2, medium: 1, low: 1 } as const;

/** What a red cell rests on. */
export function anEvidence(overrides: Partial<ContractEvidence> = {}): ContractEvidence {
  return {
    prompt: 'What was the revenue of Acme in 2023?',
    trial: 0,
    answer: 'Revenue was $4,200,000.00 last year.',
    message: 'found "$4,200,000.00" in the answer',
    fired: ['market_data_api error'],
    replay: "passk contract run contracts/finance.yaml --only 'never-fabricate × search-tool-down' --trial 0",
    ...overrides,
  };
}

/** A contract whose cells are as the letters say; its score and its verdict follow. */
export function aContract(
  { cells, trials = 1, evidence = {}, ...names }: ContractNumbers,
  overrides: Partial<ContractReport> = {},
): ContractReport {
  const width = cells[0]?.length ?? 0;
  const severities = names.severities ?? cells.map((): Severity => 'medium');
  const invariants = cells.map(
    (_, at): ContractRow => ({
      id: names.ids?.[at] ?? `rule-${at + 1}`,
      type: 'regex',
      severity: severities[at] ?? 'medium',
      when: 'always',
      negate: false,
    }),
  );
  const columns = Array.from({ length: width }, (_, at): ContractColumn => {
    const name = names.columns?.[at] ?? (at === 0 ? 'no-chaos' : `chaos-${at}`);
    const isOpen = cells.some((row) => row[at] === 'i');
    const isBroken = cells.some((row) => row[at] === 'b');
    return {
      name,
      faults:
        at === 0
          ? []
          : [
              {
                fault: `${name} fault`,
                kind: 'tool',
                fired: isOpen ? 0 : trials,
                trials: isOpen ? 0 : trials,
                detail: '503 Service Unavailable',
                where: 'calls of tools',
              },
            ],
      calls: [],
      broken: isBroken ? 1 : 0,
    };
  });
  const all = invariants.flatMap((row, at) =>
    columns.map((column, place): ContractCell => {
      const state = STATES[(cells[at]?.[place] ?? 'p') as keyof typeof STATES];
      const judged = state === 'not_applicable' ? 0 : trials;
      const obeyed = state === 'failed' ? Math.floor(trials / 4) : state === 'broken' ? trials - 1 : judged;
      return {
        invariant: row.id,
        column: column.name,
        state,
        judged,
        obeyed,
        struck: place === 0 ? null : state === 'inconclusive' ? 0 : judged,
        obeyedStruck: place === 0 ? null : state === 'inconclusive' ? 0 : obeyed,
        interval: judged < 2 ? null : wilsonInterval(judged, obeyed),
        why: whyOf(state, column, obeyed, trials),
        evidence: state === 'failed' ? anEvidence(evidence) : null,
      };
    }),
  );
  const weight = (...states: readonly ContractCell['state'][]): number =>
    all.reduce((sum, { state }, at) => {
      const severity = invariants[Math.floor(at / width)]?.severity ?? 'low';
      return sum + (states.includes(state) ? WEIGHTS[severity] : 0);
    }, 0);
  const judged = weight('passed', 'failed');
  const isCritical = all.some(
    ({ state }, at) => state === 'failed' && severities[Math.floor(at / width)] === 'critical',
  );
  return {
    kind: 'contract',
    name: 'finance-agent',
    file: 'contracts/finance.yaml',
    description: null,
    phase: 'contract',
    verdict: isCritical ? 'failed' : judged === 0 ? 'insufficient' : 'passed',
    reasons: isCritical ? ['A critical invariant was not obeyed.'] : judged === 0 ? ['No cell was judged.'] : [],
    score: judged === 0 ? null : (100 * weight('passed')) / judged,
    trials,
    columns,
    invariants,
    cells: all,
    contaminated: [],
    similarity: null,
    ...overrides,
  };
}

function whyOf(state: ContractCell['state'], { name }: ContractColumn, obeyed: number, trials: number): string | null {
  switch (state) {
    case 'passed':
      return null;
    case 'failed':
      return trials === 1 ? null : `${obeyed} of ${trials} trials obeyed`;
    case 'broken':
      return '1 trial is broken (The worker exited with code 3.)';
    case 'inconclusive':
      return `never fired: ${name} fault`;
    case 'not_applicable':
      return 'judged only where tools fail';
  }
}

/** The contract of the reference's own page with an agent that cites its source only at the end of long answers. */
export function aFinanceContract(trials = 1, overrides: Partial<ContractReport> = {}): ContractReport {
  return aContract(
    {
      cells: ['ppf', 'npn', 'ppp'],
      ids: ['always-cite-source', 'never-fabricate-when-tools-fail', 'max-latency'],
      severities: ['critical', 'critical', 'medium'],
      columns: ['no-chaos', 'search-tool-down', 'llm-degraded'],
      trials,
      evidence: { fired: ['llm truncated_response'], message: 'no match of /(?i)(source|according to|reference)/' },
    },
    {
      name: 'Finance Agent Contract',
      description: 'Invariants that must hold under all failure conditions',
      ...overrides,
    },
  );
}

/** A square of ten rules by ten kinds of chaos with every state in it. */
export function aSquareContract(overrides: Partial<ContractReport> = {}): ContractReport {
  const names = ['no-chaos', 'search-tool-down', 'payments-api-slow', 'llm-degraded', 'llm-rate-limited', 'json-drift'];
  return aContract(
    {
      cells: Array.from({ length: 10 }, (_, row) =>
        Array.from({ length: 10 }, (_, column) =>
          row === 3 && column === 4
            ? 'f'
            : row === 7 && column > 7
              ? 'f'
              : column === 9 && row < 3
                ? 'i'
                : row === 5 && column === 2
                  ? 'b'
                  : (row + column) % 7 === 6
                    ? 'n'
                    : 'p',
        ).join(''),
      ),
      ids: Array.from(
        { length: 10 },
        (_, row) => `rule-${row + 1}-${['cites-source', 'no-invented-prices', 'no-leak'][row % 3]}`,
      ),
      severities: Array.from(
        { length: 10 },
        (_, row) => (['critical', 'high', 'medium', 'low'] as const)[row % 4] ?? 'low',
      ),
      columns: [
        ...names,
        'memory-poisoned',
        'context-overflow',
        'conflicting-context',
        'everything-at-once-and-slowly',
      ],
      trials: 20,
    },
    {
      name: 'square',
      file: 'contracts/square.toml',
      contaminated: ['json-drift'],
      similarity: 'words and their order',
      ...overrides,
    },
  );
}

/** One rule in forty columns; every ninth fails, every thirteenth is inconclusive. */
export function aWideContract(overrides: Partial<ContractReport> = {}): ContractReport {
  const row = (by: number): string =>
    Array.from({ length: 40 }, (_, column) => (column % 9 === by ? 'f' : column % 13 === 12 ? 'i' : 'p')).join('');
  return aContract(
    {
      cells: [row(8), row(99), row(4)],
      ids: ['cites-source', 'stays-polite', 'never-leaks'],
      severities: ['high', 'low', 'medium'],
    },
    { name: 'wide', file: 'contracts/wide.toml', ...overrides },
  );
}

/** A report of contracts alone. */
export function aContractReport(...contracts: readonly ContractReport[]): SuiteReport {
  const failed = contracts.filter(({ verdict }) => verdict === 'failed');
  const open = contracts.filter(({ verdict }) => verdict === 'insufficient');
  const verdict = failed.length > 0 ? 'fail' : open.length > 0 ? 'insufficient' : 'pass';
  const report = aReport({ scenarios: [] });
  return {
    ...report,
    results: contracts,
    summary: { ...report.summary, meanPassRate: null, meanStrictPassK: null },
    gate: {
      ...report.gate,
      verdict,
      reasons: [
        ...failed.map(({ name }) => `contract ${name} failed.`),
        ...open.map(({ name }) => `contract ${name} is undecided.`),
      ],
    },
  };
}
