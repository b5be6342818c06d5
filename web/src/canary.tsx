import type {
  CanaryPage,
  CanaryPageStage,
  RehearsalPage,
  RehearsalPageCandidate,
} from '../../src/canary/canary-page-model.ts';
import { LinePlot } from './line-plot.tsx';
import { GaugeView } from './release-charts.tsx';
import { ThemeChoice } from './theme.tsx';

/** The page of a rollout, or of a rehearsal. */
export function CanaryApp({ data }: { readonly data: CanaryPage | RehearsalPage }) {
  document.title = `${data.title} · passk`;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <span class="brand">passk</span>
        <span class="muted">{data.passk}</span>
        <ThemeChoice />
      </header>
      <main id="main" tabIndex={-1}>
        <h1>{data.title}</h1>
        <p class="muted">{data.about}</p>
        {data.page === 'canary' ? <Rollout data={data} /> : <Rehearsal data={data} />}
      </main>
    </>
  );
}

function Rollout({ data: { state, role, notes, stages } }: { readonly data: CanaryPage }) {
  return (
    <>
      <section class="card" aria-label="Where it stands">
        <p class={`stand ${role}`}>{state}</p>
        <ul>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </section>
      {stages.map((stage) => (
        <Stage key={stage.name} stage={stage} />
      ))}
    </>
  );
}

const STATES = { ahead: 'yet to come', running: 'on its way', passed: 'passed', rolled_back: 'rolled back' } as const;
const MARKS = { met: '✓ met', open: '… open', broken: '✗ broken' } as const;

function Stage({
  stage: { name, state, counts, criteria, floor, ceiling, points },
}: {
  readonly stage: CanaryPageStage;
}) {
  if (points.length === 0) {
    return (
      <section class="card">
        <h2>
          {name}: {STATES[state]}
        </h2>
      </section>
    );
  }
  const lowest = Math.min(floor, ...points.slice(1).map(({ low }) => low));
  const costs = points.flatMap(({ outcomes, cost }) => (cost === null ? [] : [{ outcomes, cost }]));
  const dearest = Math.max(ceiling ?? 0, ...costs.map(({ cost }) => cost[0] ?? 0));
  return (
    <section class="card">
      <h2>
        {name}: {STATES[state]}
      </h2>
      <p class="muted">{counts}</p>
      <table class="small">
        <tbody>
          {criteria.map((one) => (
            <tr key={one.name}>
              <th scope="row">{MARKS[one.state]}</th>
              <td>{one.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="plots">
        <LinePlot
          label={`Pass rate of ${name}, and its bounds by outcomes`}
          lines={[{ name: 'pass rate', role: 'own', points: points.map(({ outcomes, value }) => [outcomes, value]) }]}
          band={points.map(({ outcomes, low, high }) => [outcomes, low, high])}
          bars={[{ y: floor, name: `floor ${floor}` }]}
          x="outcomes of the candidate"
          y="pass rate"
          range={[Math.max(0, lowest - 0.02), 1]}
          format={(value) => String(value)}
        />
        {ceiling !== null && costs.length > 0 && (
          <LinePlot
            label={`Cost per success of ${name}, and its bounds by outcomes`}
            lines={[
              {
                name: 'cost per success',
                role: 'own',
                points: costs.map(({ outcomes, cost }) => [outcomes, cost[0] ?? 0]),
              },
            ]}
            band={costs.map(({ outcomes, cost }) => [outcomes, cost[1] ?? 0, cost[2] ?? 4 * dearest])}
            bars={[{ y: ceiling, name: `ceiling $${ceiling}` }]}
            x="outcomes of the candidate"
            y="USD per success"
            range={[0, 2 * dearest]}
            format={(value) => `$${value}`}
          />
        )}
      </div>
    </section>
  );
}

function Rehearsal({ data: { candidates } }: { readonly data: RehearsalPage }) {
  return (
    <>
      <section class="card" aria-labelledby="ends-title">
        <h2 id="ends-title">What becomes of each candidate</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section class="scroll" tabIndex={0} aria-label="Candidates">
          <table class="small figures many">
            <thead>
              <tr>
                <th scope="col">Candidate</th>
                <th scope="col">Released</th>
                <th scope="col">drawn</th>
                <th scope="col">Rolled back</th>
                <th scope="col">Hours until released</th>
                <th scope="col">Until rolled back</th>
                <th scope="col">Answers users see</th>
                <th scope="col">Of them failed</th>
              </tr>
            </thead>
            <tbody>
              {candidates.map(({ name, isBad, released, releasedGauge, rolledBack, hours, exposed, failed }) => (
                <tr key={name}>
                  <th scope="row">
                    {name}
                    {isBad ? ' (a release is false)' : ''}
                  </th>
                  <td class="number" data-label="released">
                    {released}
                  </td>
                  <td>
                    <GaugeView gauge={releasedGauge} />
                  </td>
                  <td class="number" data-label="rolled back">
                    {rolledBack}
                  </td>
                  <td class="number" data-label="hours until released">
                    {hours.released === null ? '–' : short(hours.released)}
                  </td>
                  <td class="number" data-label="until rolled back">
                    {hours.rolledBack === null ? '–' : short(hours.rolledBack)}
                  </td>
                  <td
                    class="number"
                    data-label="answers users see"
                  >{`${short(exposed[0])}; 95 % at most ${short(exposed[1])}`}</td>
                  <td
                    class="number"
                    data-label="of them failed"
                  >{`${short(failed[0])}; 95 % at most ${short(failed[1])}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </section>
      {candidates.map((candidate) => (
        <Played key={candidate.name} candidate={candidate} />
      ))}
    </>
  );
}

function Played({
  candidate: { name, assumed, ends, moments, exposure },
}: {
  readonly candidate: RehearsalPageCandidate;
}) {
  return (
    <section class="card">
      <h2>{name}</h2>
      <p class="muted">{assumed}</p>
      <div class="plots">
        <LinePlot
          label={`Share of rollouts of ${name} that have ended, by hours`}
          lines={[
            { name: 'released', role: 'good', points: moments.map(({ hours, released }) => [hours, released]) },
            { name: 'rolled back', role: 'bad', points: moments.map(({ hours, rolledBack }) => [hours, rolledBack]) },
          ]}
          x="hours since the first request"
          y="share of rollouts"
          range={[0, 1]}
          format={(value) => String(value)}
        />
        <LinePlot
          label={`Share of rollouts of ${name} in which users see so many answers at most`}
          lines={[
            {
              name: 'answers that users see',
              role: 'own',
              points: exposure.map(({ share, answers }) => [answers, share]),
            },
            { name: 'those that fail', role: 'bad', points: exposure.map(({ share, failed }) => [failed, share]) },
          ]}
          x="answers that users see, at most"
          y="share of rollouts"
          range={[0, 1]}
          format={(value) => String(value)}
        />
      </div>
      {ends.length > 0 && (
        <ul>
          {ends.map((end) => (
            <li key={end}>{end}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function short(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });
}
