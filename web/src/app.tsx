import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDuration, formatSpeed, plural } from '../../src/text/format-number.ts';
import type { HtmlReport, HtmlTiming } from '../../src/report/html/html-model.ts';
import { type Address, readAddress } from './address.ts';
import { isShown, Overview } from './overview.tsx';
import { ScenarioTable, type TableState } from './scenario-table.tsx';
import { ScenarioView } from './scenario-view.tsx';
import { ThemeChoice } from './theme.tsx';

/** The whole page: the overview with the table, or one scenario with one of its trials, as the address says. */
export function App({ report }: { readonly report: HtmlReport }) {
  const { timing } = report;
  const [{ scenario: open, trial }, setAddress] = useState(() => readAddress(location.hash));
  const [table, setTable] = useState<TableState>({ search: '', only: 'all', sort: 'failed', page: 0 });
  // The trial of the first address is yet to be gone to.
  const last = useRef<Address>({ scenario: open, trial: null });
  useEffect(() => {
    const follow = (): void => {
      // The link to the content moves within the view that is open.
      if (location.hash !== '#main') setAddress(readAddress(location.hash));
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const scenario = open === null ? undefined : report.scenarios[open];
  useEffect(() => {
    document.title = scenario === undefined ? 'passk report' : `${scenario.name} · passk report`;
    const before = last.current;
    if (before.scenario === open && before.trial === trial) return;
    last.current = { scenario: open, trial };
    if (scenario !== undefined) scrollTo(0, 0);
    const wanted = trial === null ? null : document.getElementById(`trial-${trial}`);
    const target = scenario === undefined ? `row-${before.scenario}` : 'title';
    (wanted ?? document.getElementById(target))?.focus();
  }, [open, trial, scenario]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a href="#/" class="brand">
          passk
        </a>
        <span class="muted">
          {report.passk} · seed {report.seed}
          {timing !== null && ` · ${timing.startedAt.slice(0, 16).replace('T', ' ')} UTC · ${speedText(timing)}`}
        </span>
        <ThemeChoice />
      </header>
      <main id="main" tabIndex={-1}>
        {scenario === undefined ? (
          <Overview report={report}>
            {isShown(report) && <ScenarioTable report={report} state={table} onState={setTable} />}
          </Overview>
        ) : (
          <ScenarioView scenario={scenario} place={open ?? 0} trial={trial} key={open} />
        )}
      </main>
    </>
  );
}

function speedText({ durationMs, trialsPerSecond, workers }: HtmlTiming): string {
  const speed = trialsPerSecond === null ? '' : `, ${formatSpeed(trialsPerSecond)} trials/s`;
  return `${formatDuration(durationMs)}${speed}, ${workers === 0 ? 'inline' : plural(workers, 'worker')}`;
}
