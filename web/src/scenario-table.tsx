import { flushSync } from 'preact/compat';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatCount, plural } from '../../src/text/format-number.ts';
import { formatRate } from '../../src/text/format-rate.ts';
import type { HtmlReport, HtmlScenario } from '../../src/report/html/html-model.ts';
import { scenarioAddress } from './address.ts';
import { Amount, Badge, markOf, RateBar } from './rate.tsx';

export interface TableState {
  readonly search: string;
  readonly only: string;
  readonly sort: string;
  readonly page: number;
}

const PAGE = 100;

const ONLY: Readonly<Record<string, (scenario: HtmlScenario) => boolean>> = {
  all: () => true,
  failed: ({ verdict }) => verdict !== 'passed',
  flaky: ({ trials: [, , , passed, failed] }) => passed > 0 && failed > 0,
  broken: ({ trials }) => trials[5] > 0,
  passed: ({ verdict }) => verdict === 'passed',
};

const RANKS = { bad: 0, warn: 1, good: 2 } as const;

const SORTS: Readonly<Record<string, (one: HtmlScenario, other: HtmlScenario) => number>> = {
  failed: (one, other) => RANKS[markOf(one).role] - RANKS[markOf(other).role],
  fall: (one, other) => changeOf(one) - changeOf(other),
  file: () => 0,
  rate: (one, other) => (one.rate ?? -1) - (other.rate ?? -1),
  tokens: (one, other) => (other.tokens ?? -1) - (one.tokens ?? -1),
  name: (one, other) => (one.name < other.name ? -1 : 1),
};

interface ScenarioTableProps {
  readonly report: HtmlReport;
  readonly state: TableState;
  readonly onState: (state: TableState) => void;
}

/** Every scenario with its numbers: searched, filtered, sorted, a hundred at a time on a screen. */
export function ScenarioTable({ report, state, onState }: ScenarioTableProps) {
  const { scenarios, leftOut } = report;
  const hasBefore = scenarios.some(({ before }) => before !== undefined);
  const found = useMemo(() => findScenarios(scenarios, state), [scenarios, state.search, state.only, state.sort]);
  const change = (part: Partial<TableState>): void => onState({ ...state, page: 0, ...part });
  const isPrinted = usePrinted();
  const start = isPrinted ? 0 : state.page * PAGE;
  const rows = isPrinted ? found : found.slice(start, start + PAGE);
  const all = plural(scenarios.length, 'scenario');
  const counts = found.length === scenarios.length ? all : `${formatCount(found.length)} of ${all}`;
  return (
    <section class="card" aria-labelledby="scenarios-title">
      <h2 id="scenarios-title">Scenarios</h2>
      <search class="filters">
        <label>
          Search{' '}
          <input
            type="search"
            value={state.search}
            placeholder="name, file or tag"
            onInput={(event) => change({ search: event.currentTarget.value })}
          />
        </label>
        <label>
          Show{' '}
          <select value={state.only} onChange={(event) => change({ only: event.currentTarget.value })}>
            <option value="all">all</option>
            <option value="failed">failed or not loaded</option>
            <option value="flaky">flaky</option>
            <option value="broken">with broken trials</option>
            <option value="passed">passed</option>
          </select>
        </label>
        <label>
          Order{' '}
          <select value={state.sort} onChange={(event) => change({ sort: event.currentTarget.value })}>
            <option value="failed">failed first</option>
            <option value="file">as run</option>
            {hasBefore && <option value="fall">largest fall first</option>}
            <option value="rate">lowest pass rate first</option>
            <option value="tokens">most tokens first</option>
            <option value="name">by name</option>
          </select>
        </label>
        <output>{counts}</output>
      </search>
      {isPrinted && <p>{counts}</p>}
      {leftOut > 0 && (
        <p>The size limit of the page left out {plural(leftOut, 'scenario')}; the JSON report has everything.</p>
      )}
      {rows.length === 0 ? <p class="muted">No scenario matches.</p> : <Rows scenarios={scenarios} rows={rows} />}
      {found.length > PAGE && (
        <nav class="pages" aria-label="Pages of scenarios">
          <button type="button" disabled={state.page === 0} onClick={() => change({ page: state.page - 1 })}>
            Previous
          </button>
          <span aria-live="polite">
            {formatCount(start + 1)} to {formatCount(start + rows.length)} of {formatCount(found.length)}
          </span>
          <button
            type="button"
            disabled={start + PAGE >= found.length}
            onClick={() => change({ page: state.page + 1 })}
          >
            Next
          </button>
        </nav>
      )}
    </section>
  );
}

/** Whether the page is being printed: paper has no button that leads on. */
function usePrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    // What is printed is what is there when the listener returns.
    const onPrint = ({ type }: Event): void => flushSync(() => setPrinted(type === 'beforeprint'));
    addEventListener('beforeprint', onPrint);
    addEventListener('afterprint', onPrint);
    return () => {
      removeEventListener('beforeprint', onPrint);
      removeEventListener('afterprint', onPrint);
    };
  }, []);
  return isPrinted;
}

function Rows({
  rows,
  scenarios,
}: {
  readonly rows: readonly HtmlScenario[];
  readonly scenarios: readonly HtmlScenario[];
}) {
  const hasBefore = scenarios.some(({ before }) => before !== undefined);
  const hasTokens = scenarios.some(({ tokens }) => tokens !== 0);
  const places = useMemo(() => new Map(scenarios.map((scenario, place) => [scenario, place])), [scenarios]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label="Table of scenarios">
      <table class="scenarios">
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">Scenario</th>
            {hasBefore && (
              <th scope="col" class="right">
                Baseline
              </th>
            )}
            <th scope="col">Pass rate, 95 % interval</th>
            <th scope="col" class="right">
              Trials passed
            </th>
            {hasTokens && (
              <th scope="col" class="right">
                Tokens/trial
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((scenario) => {
            const place = places.get(scenario) ?? 0;
            const [, executed, deduplicated, passed] = scenario.trials;
            return (
              <tr key={place}>
                <td>
                  <Badge mark={markOf(scenario)} />
                </td>
                <th scope="row">
                  <a id={`row-${place}`} href={scenarioAddress(place)}>
                    {scenario.name}
                  </a>
                  <span class="file muted">{scenario.file}</span>
                  {scenario.cause !== undefined && <span class="cause">{scenario.cause}</span>}
                </th>
                {hasBefore && (
                  <td class="right number" data-label="Baseline">
                    <Before scenario={scenario} />
                  </td>
                )}
                <td>
                  <RateBar scenario={scenario} />
                </td>
                <td class="right number" data-label="Trials passed">
                  {formatCount(passed)} of {formatCount(executed + deduplicated)}
                </td>
                {hasTokens && (
                  <td class="right" data-label="Tokens/trial">
                    <Amount value={scenario.tokens} />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** The pass rate in the baseline, or that it has none. */
function Before({ scenario: { before } }: { readonly scenario: HtmlScenario }) {
  if (before === undefined) return <span class="muted">new</span>;
  return before === null ? <Amount value={null} /> : <span>{formatRate(before)}</span>;
}

/** What the pass rate gained on the baseline; what has none of both comes last. */
function changeOf({ rate, before }: HtmlScenario): number {
  return rate === null || before === undefined || before === null ? 2 : rate - before;
}

function findScenarios(
  scenarios: readonly HtmlScenario[],
  { search, only, sort }: TableState,
): readonly HtmlScenario[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = ONLY[only] ?? (() => true);
  const found = scenarios.filter((scenario) => {
    if (!shown(scenario)) return false;
    const text = `${scenario.name}\n${scenario.file}\n${scenario.tags.join('\n')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return sort === 'file' ? found : found.sort(SORTS[sort]);
}
