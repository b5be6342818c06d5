import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDuration, formatShort, plural } from '../../src/report/format-number.ts';
import type { HtmlReport, HtmlTiming } from '../../src/report/html-model.ts';
import { isShown, Overview } from './overview.tsx';
import { ScenarioTable, type TableState } from './scenario-table.tsx';
import { ScenarioView } from './scenario-view.tsx';
import { ThemeChoice } from './theme.tsx';

/** The whole page: the overview with the table, or one scenario, as the address says. */
export function App({ report }: { readonly report: HtmlReport }) {
  const { timing } = report;
  const [open, setOpen] = useState(openScenario);
  const [table, setTable] = useState<TableState>({ search: '', only: 'all', sort: 'file', page: 0 });
  const last = useRef<number | null>(open);
  useEffect(() => {
    const follow = (): void => {
      // The link to the content moves within the view that is open.
      if (location.hash !== '#main') setOpen(openScenario());
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const scenario = open === null ? undefined : report.scenarios[open];
  useEffect(() => {
    document.title = scenario === undefined ? 'passk report' : `${scenario.name} · passk report`;
    if (last.current === open) return;
    const target = scenario === undefined ? `row-${last.current}` : 'title';
    last.current = open;
    if (scenario !== undefined) scrollTo(0, 0);
    document.getElementById(target)?.focus();
  }, [open, scenario]);
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
          <>
            <Overview report={report} />
            {isShown(report) && <ScenarioTable report={report} state={table} onState={setTable} />}
          </>
        ) : (
          <ScenarioView scenario={scenario} key={open} />
        )}
      </main>
    </>
  );
}

function speedText({ durationMs, trialsPerSecond, workers }: HtmlTiming): string {
  const speed = trialsPerSecond === null ? '' : `, ${formatShort(trialsPerSecond)} trials/s`;
  return `${formatDuration(durationMs)}${speed}, ${workers === 0 ? 'inline' : plural(workers, 'worker')}`;
}

function openScenario(): number | null {
  const place = /^#\/scenario\/(\d{1,9})$/.exec(location.hash)?.[1];
  return place === undefined ? null : Number(place);
}
