import type { ComponentChildren } from 'preact';
import { formatCount, formatShort, plural } from '../../src/text/format-number.ts';
import { formatBar, formatInterval, formatRate } from '../../src/text/format-rate.ts';
import type { HtmlPanel, HtmlReport } from '../../src/report/html/html-model.ts';
import { GATE_TITLES } from '../../src/report/words/gate-texts.ts';
import { Coverage } from './coverage.tsx';
import { PanelCard } from './panels.tsx';
import { PassCurve } from './pass-curve.tsx';
import { Amount, capital, counterLabel, markOf } from './rate.tsx';
import { Reasons } from './reasons.tsx';
import { Sections } from './sections.tsx';

const TITLES = {
  pass: { sign: '✓', text: GATE_TITLES.pass, role: 'good' },
  fail: { sign: '✗', text: GATE_TITLES.fail, role: 'bad' },
  insufficient: { sign: '!', text: GATE_TITLES.insufficient, role: 'warn' },
} as const;

/** Reasons in sight; with thousands of scenarios the others would push the numbers off the page. */
const SHOWN_REASONS = 12;

/** Trials in digits; more than this are rounded. */
const COUNTED = 1_000_000;

interface OverviewProps {
  readonly report: HtmlReport;
  /** The table of scenarios. */
  readonly children: ComponentChildren;
}

/** The verdict with its reasons and the numbers it rests on, then what went wrong, then the rest. */
export function Overview({ report, children: table }: OverviewProps) {
  const { counters, curve, notices, leads, panels, scenarios } = report;
  const isBad = ({ mark }: HtmlPanel): boolean => mark?.role === 'bad';
  const hasFailed = scenarios.some((scenario) => markOf(scenario).role === 'bad');
  return (
    <>
      <Verdict report={report} />
      {leads.map((panel) => (
        <PanelCard key={panel.title} panel={panel} scenarios={report.scenarios} />
      ))}
      <Tiles report={report} />
      {panels.filter(isBad).map((panel) => (
        <PanelCard key={panel.title} panel={panel} scenarios={scenarios} />
      ))}
      <Sections report={report} isFine={false} />
      {hasFailed && table}
      <Sections report={report} isFine />
      {isShown(report) && (
        <div class="columns">
          <section aria-labelledby="curve-title" class="card">
            <h2 id="curve-title">pass^k</h2>
            <PassCurve {...curve} />
          </section>
          {counters.length > 0 && (
            <section aria-labelledby="cost-title" class="card">
              <h2 id="cost-title">Cost, all trials</h2>
              <dl class="pairs">
                {counters.map(([name, , total]) => (
                  <div key={name}>
                    <dt>{counterLabel(name)}</dt>
                    <dd class="number">{formatCount(total)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          )}
        </div>
      )}
      {panels
        .filter((panel) => !isBad(panel))
        .map((panel) => (
          <PanelCard key={panel.title} panel={panel} scenarios={scenarios} />
        ))}
      {isShown(report) && report.coverage !== null && <Coverage coverage={report.coverage} />}
      {notices.length > 0 && (
        <details class="card">
          <summary>
            <h2>Notices ({formatCount(notices.length)})</h2>
          </summary>
          <ul>
            {notices.map((notice, place) => (
              <li key={place}>{notice}</li>
            ))}
          </ul>
        </details>
      )}
      {!hasFailed && table}
    </>
  );
}

/** Where there is no scenario but another result, the numbers of scenarios say nothing. */
export function isShown({ counts, sections, moreSections }: HtmlReport): boolean {
  return counts.scenarios > 0 || sections.length + moreSections === 0;
}

function Verdict({ report }: { readonly report: HtmlReport }) {
  const { verdict, reasons, moreReasons, gates, partial, floor, counts } = report;
  const { sign, text, role } = TITLES[verdict];
  const [requested, executed, deduplicated] = counts.trials;
  return (
    <section class={`verdict ${role}`} aria-labelledby="verdict-title">
      <h1 id="verdict-title">
        <span aria-hidden="true">{sign} </span>
        {text}
      </h1>
      {partial && (
        <p>
          Stopped early: the numbers cover {formatCount(executed + deduplicated)} of {plural(requested, 'trial')}.
        </p>
      )}
      {floor !== null && <p>Every scenario must pass at least {formatBar(floor)} of its trials.</p>}
      {reasons.length > 0 && <Reasons reasons={reasons.slice(0, SHOWN_REASONS)} report={report} />}
      {reasons.length > SHOWN_REASONS && (
        <details>
          <summary>{plural(reasons.length - SHOWN_REASONS + moreReasons, 'reason')} more</summary>
          <Reasons reasons={reasons.slice(SHOWN_REASONS)} report={report} />
          {moreReasons > 0 && <p>{plural(moreReasons, 'reason')} more in the JSON report.</p>}
        </details>
      )}
      {gates.length > 0 && (
        <ul class="gates">
          {gates.map(({ sign: gateSign, word, text: gate, found, tells }, place) => (
            <li key={place}>
              <strong>
                <span aria-hidden="true">{gateSign} </span>
                {word}
              </strong>{' '}
              <code>{gate}</code>
              <p>{found.join(' ')}</p>
              {tells !== '' && <p class="muted">{tells}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Tiles({ report }: { readonly report: HtmlReport }) {
  return (
    <dl class="tiles">
      <ResultTiles report={report} />
      {isShown(report) && <ScenarioTiles report={report} />}
    </dl>
  );
}

/** How many results of each kind are fine. */
function ResultTiles({ report: { sections, moreSections, overall } }: { readonly report: HtmlReport }) {
  const kinds = [...new Set(sections.map(({ kind }) => kind))];
  return (
    <>
      {kinds.map((kind) => {
        const own = sections.filter((section) => section.kind === kind);
        const words = [...new Set(own.filter(({ isFine }) => !isFine).map(({ mark }) => mark.name))];
        const others = words.map(
          (word) => `${formatCount(own.filter(({ mark }) => mark.name === word).length)} ${word}`,
        );
        return (
          <div key={kind}>
            <dt>{`${capital(kind)}s passed`}</dt>
            <dd>
              {formatCount(own.filter(({ isFine }) => isFine).length)} <small>of {formatCount(own.length)}</small>
            </dd>
            <dd class="muted">{others.length === 0 ? 'all of them' : others.join(', ')}</dd>
          </div>
        );
      })}
      {moreSections > 0 && (
        <div>
          <dt>Left out for size</dt>
          <dd>{formatCount(moreSections)}</dd>
          <dd class="muted">the JSON report has all</dd>
        </div>
      )}
      {overall !== null && (
        <div>
          <dt>Overall score</dt>
          <dd>{overall.score}</dd>
          <dd class="muted">{overall.phases.length === 0 ? 'no phase was scored' : overall.phases.join(', ')}</dd>
        </div>
      )}
    </>
  );
}

function ScenarioTiles({ report }: { readonly report: HtmlReport }) {
  const { counts, meanPassRate, meanInterval, inARow, costPerSuccess, injections, scenarios } = report;
  const [requested, executed, deduplicated, passed, failed, broken] = counts.trials;
  const ranTrials = executed + deduplicated;
  const others = [
    `${formatCount(counts.failed)} failed`,
    ...(counts.undecided > 0 ? [`${formatCount(counts.undecided)} undecided`] : []),
    ...(counts.loadErrors > 0 ? [`${formatCount(counts.loadErrors)} did not load`] : []),
    ...(counts.notRun > 0 ? [`${formatCount(counts.notRun)} did not run`] : []),
  ];
  // Enumerated scenarios have no trials.
  const hasTrials = requested > 0 || scenarios.every(({ exact }) => exact === undefined);
  return (
    <>
      <div>
        <dt>Scenarios passed</dt>
        <dd>
          {formatCount(counts.passed)} <small>of {formatCount(counts.scenarios)}</small>
        </dd>
        <dd class="muted">{others.join(', ')}</dd>
      </div>
      {hasTrials && (
        <div>
          <dt>Trials</dt>
          <dd>
            {trialsText(ranTrials)} {ranTrials !== requested && <small>of {trialsText(requested)}</small>}
          </dd>
          <dd class="muted">
            {formatCount(passed)} passed, {formatCount(failed)} failed, {formatCount(broken)} broken
          </dd>
        </div>
      )}
      <div>
        <dt>Mean pass rate</dt>
        <dd>{meanPassRate === null ? '–' : formatRate(meanPassRate)}</dd>
        {meanInterval !== null && <dd class="muted">{formatInterval(meanInterval)} of these scenarios</dd>}
        {inARow !== null && <dd class="muted">{inARow}</dd>}
      </div>
      {scenarios.some(({ tokens }) => tokens !== 0) && (
        <div>
          <dt>Tokens per success</dt>
          <dd>
            <Amount value={costPerSuccess} />
          </dd>
          <dd class="muted">
            {costPerSuccess !== null
              ? 'all trials over those that passed'
              : passed > 0
                ? 'not all tokens are told'
                : 'no success to price'}
          </dd>
        </div>
      )}
      {injections !== null && (
        <div>
          <dt>Injections that succeeded</dt>
          <dd>
            {formatCount(injections[1])} <small>of {plural(injections[0], 'trial')}</small>
          </dd>
          <dd class="muted">{plural(injections[2], 'denial')}</dd>
        </div>
      )}
    </>
  );
}

function trialsText(trials: number): string {
  return trials < COUNTED ? formatCount(trials) : formatShort(trials);
}
