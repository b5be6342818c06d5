import { useState } from 'preact/hooks';
import { formatCount, formatMean, plural } from '../../src/text/format-number.ts';
import { formatBar, formatRate } from '../../src/text/format-rate.ts';
import type { HtmlCount, HtmlDetail, HtmlScenario } from '../../src/report/html/html-model.ts';
import { Failures } from './failures.tsx';
import { PassCurve } from './pass-curve.tsx';
import { Amount, Badge, counterLabel, markOf, RateBar } from './rate.tsx';
import { Trend } from './trend.tsx';
import { WorkflowGraph } from './workflow-graph.tsx';

interface ScenarioProps {
  readonly scenario: HtmlScenario;
  /** Its place among the scenarios of the page. */
  readonly place: number;
  /** The failing trial that the address names; null: none. */
  readonly trial: number | null;
}

/** One scenario in full. */
export function ScenarioView({ scenario, place, trial }: ScenarioProps) {
  const { name, file, tags, trials, bar, before, tokens, detail } = scenario;
  const [requested, executed, deduplicated, passed, failed, broken] = trials;
  return (
    <>
      <nav aria-label="Back">
        <a href="#/">← All scenarios</a>
      </nav>
      <h1 id="title" tabIndex={-1}>
        {name}
      </h1>
      <p class="facts">
        <Badge mark={markOf(scenario)} /> <code>{detail?.at || file}</code>
      </p>
      {detail !== undefined && detail.description !== '' && <p>{detail.description}</p>}
      {detail !== undefined && detail.stopped !== '' && <p>This scenario {detail.stopped}.</p>}
      {detail?.constant === true && <p>{constantText(executed + deduplicated)}</p>}
      {tags.length > 0 && <p class="muted">Tags: {tags.join(', ')}</p>}
      <dl class="tiles">
        <div>
          <dt>Pass rate</dt>
          <dd>
            <RateBar scenario={scenario} />
          </dd>
          <dd class="muted">{bar === null ? 'every trial must pass' : `bar ${formatBar(bar)}`}</dd>
          {before !== undefined && before !== null && <dd class="muted">{formatRate(before)} in the baseline</dd>}
        </div>
        <div>
          <dt>Trials</dt>
          <dd>
            {formatCount(executed + deduplicated)} <small>of {formatCount(requested)}</small>
          </dd>
          <dd class="muted">
            {formatCount(passed)} passed, {formatCount(failed)} failed, {formatCount(broken)} broken
          </dd>
        </div>
        {tokens !== 0 && (
          <div>
            <dt>Tokens per trial</dt>
            <dd>
              <Amount value={tokens} />
            </dd>
            {detail !== undefined && (
              <dd class="muted">
                per success <Amount value={detail.perSuccess} />
                {detail.perSuccessInterval !== null && detail.perSuccess !== 0 && (
                  <CostInterval interval={detail.perSuccessInterval} />
                )}
              </dd>
            )}
          </div>
        )}
        {detail !== undefined && detail.virtualMs[1] > 0 && (
          <div>
            <dt>Virtual time</dt>
            <dd>{detail.virtualMs[0] === null ? '–' : `${formatMean(detail.virtualMs[0])} ms`}</dd>
            <dd class="muted">at most {formatMean(detail.virtualMs[1])} ms</dd>
          </div>
        )}
      </dl>
      {detail === undefined ? (
        <p class="card">
          The size limit of the page left out the rest. A report of this file alone has it:{' '}
          <code>passk run {file} --reporter html:report.html</code>
        </p>
      ) : (
        <Detail detail={detail} place={place} wanted={trial} />
      )}
    </>
  );
}

interface DetailProps {
  readonly detail: HtmlDetail;
  readonly place: number;
  readonly wanted: number | null;
}

function Detail({ detail, place: scenario, wanted }: DetailProps) {
  const [shown, setShown] = useState<number | null>(null);
  const { problems, failures, nodes, statuses, stops, checks, turns, counters, observed } = detail;
  const failure = failures.find(({ trial }) => trial === shown);
  return (
    <>
      {problems.length > 0 && (
        <section class="card" aria-labelledby="problems-title">
          <h2 id="problems-title">Why it did not load</h2>
          {problems.map(({ message, at, frame, hint }, place) => (
            <div key={place}>
              <p>
                <strong>{message}</strong> <code>{at}</code>
              </p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
              {frame !== '' && <pre tabIndex={0}>{frame}</pre>}
              {hint !== '' && <p class="muted">{hint}</p>}
            </div>
          ))}
        </section>
      )}
      {nodes.length > 0 && (
        <section class="card" aria-labelledby="graph-title">
          <h2 id="graph-title">Workflow</h2>
          <WorkflowGraph detail={detail} path={failure?.path ?? null} />
        </section>
      )}
      <Failures detail={detail} scenario={scenario} wanted={wanted} shown={shown} onShow={setShown} />
      {detail.trend !== null && detail.trend.points.length > 1 && <Trend trend={detail.trend} />}
      <div class="columns">
        <Counts title="Ended as" counts={statuses} />
        <Counts title="Stopped by" counts={stops} />
        <Counts title="Checks that failed" counts={checks} isBad />
        {counters.length > 0 && (
          <section class="card" aria-labelledby="counters-title">
            <h2 id="counters-title">Counters</h2>
            <table class="small">
              <thead>
                <tr>
                  <th scope="col">Counter</th>
                  <th scope="col" class="right">
                    Per trial
                  </th>
                  <th scope="col" class="right">
                    All trials
                  </th>
                </tr>
              </thead>
              <tbody>
                {counters.map(([name, mean, total]) => (
                  <tr key={name}>
                    <th scope="row">{counterLabel(name)}</th>
                    <td class="right">
                      <Amount value={mean} />
                    </td>
                    <td class="right number">{formatCount(total)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
        {detail.exact.length > 0 && (
          <section class="card" aria-labelledby="exact-title">
            <h2 id="exact-title">Exact</h2>
            <ul class="plain">
              {detail.exact.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </section>
        )}
        <section class="card" aria-labelledby="curve-title">
          <h2 id="curve-title">pass^k</h2>
          <PassCurve {...detail.curve} />
        </section>
        {turns.length > 0 && (
          <section class="card" aria-labelledby="turns-title">
            <h2 id="turns-title">Answers served</h2>
            <ul class="plain">
              {turns.map(([turn, served]) => (
                <li key={turn}>
                  {turn}: {servedText(served)}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <p class="muted">
        {observed.length > 0 &&
          `${plural(observed.length, 'capability', 'capabilities')} observed: ${observed.join(', ')}. `}
        Seed {detail.seed}, sampler {detail.sampler},{' '}
        {detail.pure ? 'repeatable: every answer came from the plan' : 'not pure'}.
      </p>
    </>
  );
}

/** What a newcomer has to know of a scenario whose trials cannot differ. */
function constantText(trials: number): string {
  const why = 'Always the same: every answer is fixed and nothing is left to chance';
  if (trials <= 1) return `${why}, so more trials would show nothing new.`;
  return `${why}, so its ${formatCount(trials)} trials are one trial repeated. Its pass rate, interval and pass^k say no more than one trial does.`;
}

/** `answer 1: 151 times; answer 2: 49 times`, counted from 1 in the order of the file. */
function servedText(served: readonly number[]): string {
  const times = served.map((count) => plural(count, 'time'));
  if (times.length === 1) return times.join('');
  return times.map((count, answer) => `answer ${answer + 1}: ${count}`).join('; ');
}

function CostInterval({ interval: [low, high] }: { readonly interval: readonly [number, number | null] }) {
  if (high === null) {
    return (
      <>
        {' '}
        (95 %: at least <Amount value={low} />; no trial failed, so a failure may cost anything)
      </>
    );
  }
  return (
    <>
      {' '}
      (95 %: <Amount value={low} /> to <Amount value={high} />)
    </>
  );
}

interface CountsProps {
  readonly title: string;
  readonly counts: readonly HtmlCount[];
  /** What is counted went wrong. */
  readonly isBad?: boolean;
}

function Counts({ title, counts, isBad = false }: CountsProps) {
  if (counts.length === 0) return null;
  const most = Math.max(...counts.map(([, count]) => count));
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <dl class="pairs">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd class="number">
              <svg viewBox="0 0 80 8" width="80" height="8" aria-hidden="true" class="share">
                <rect class="rate-all" width="80" height="8" rx="3" />
                <rect class={isBad ? 'bad' : 'rate-point'} width={(80 * count) / most} height="8" rx="3" />
              </svg>{' '}
              {formatCount(count)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
