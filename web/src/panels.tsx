import { Fragment } from 'preact';
import { formatCount, plural } from '../../src/text/format-number.ts';
import type { Gauge } from '../../src/report/sections/panel.ts';
import type { HtmlFigures, HtmlListing, HtmlPanel, HtmlScenario } from '../../src/report/html/html-model.ts';
import { BesideView } from './beside.tsx';
import { scenarioAddress, trialAddress } from './address.ts';
import { Badge, badgeOf, capital } from './rate.tsx';
import { ChartView, GaugeView } from './release-charts.tsx';

interface PanelProps {
  readonly panel: HtmlPanel;
  readonly scenarios: readonly HtmlScenario[];
}

/** What is told of the run as a whole, such as its drift. */
export function PanelCard({ panel, scenarios }: PanelProps) {
  const { title, mark, headline, blocks } = panel;
  const id = panelId(title);
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>
        {mark !== null && <Badge mark={badgeOf(mark)} />} {headline.join(' · ')}
      </p>
      {blocks.map((block, place) => (
        <BlockView key={place} block={block} title={title} scenarios={scenarios} />
      ))}
    </section>
  );
}

/** What the heading of a panel is addressed by. */
export function panelId(title: string): string {
  return `panel-${title.toLowerCase().replaceAll(' ', '-')}`;
}

interface BlockProps {
  readonly block: HtmlPanel['blocks'][number];
  readonly title: string;
  readonly scenarios: readonly HtmlScenario[];
}

function BlockView({ block, title, scenarios }: BlockProps) {
  switch (block.type) {
    case 'listing':
      return <ListingView listing={block} title={title} scenarios={scenarios} />;
    case 'figures':
      return <FiguresView figures={block} title={title} />;
    case 'names':
      return (
        <p>
          {capital(block.word)}: {block.names.join(', ')}
        </p>
      );
    case 'beside':
      return <BesideView beside={block} about={<About row={block.about} scenarios={scenarios} />} />;
    case 'notes':
      return <Notes sentences={block.sentences} isAside={block.tone === 'aside'} />;
  }
}

function Notes({ sentences, isAside }: { readonly sentences: readonly string[]; readonly isAside: boolean }) {
  if (sentences.length === 0) return null;
  return (
    <ul class={isAside ? 'muted' : ''}>
      {sentences.map((sentence, place) => (
        <li key={place}>{sentence}</li>
      ))}
    </ul>
  );
}

interface ListingProps {
  readonly listing: HtmlListing;
  readonly title: string;
  readonly scenarios: readonly HtmlScenario[];
}

/** Rows with a name and a mark are a table, others a list. */
function ListingView({ listing: { corner, headers, rows, more }, title, scenarios }: ListingProps) {
  if (rows.length === 0) return null;
  const left = more > 0 && <p class="muted">{formatCount(more)} more; the JSON report has all.</p>;
  if (corner === '') {
    return (
      <>
        {rows.map(([, , parts, lines], place) => (
          <div key={place}>
            <p class="number">{parts.join(' · ')}</p>
            {lines.length > 0 && (
              <ul>
                {lines.map((line, each) => (
                  <li key={each} class="number">
                    {line}
                  </li>
                ))}
              </ul>
            )}
          </div>
        ))}
        {left}
      </>
    );
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={`${title} of each ${corner}`}>
        <table class="small listing">
          <thead>
            <tr>
              <th scope="col">{capital(corner)}</th>
              {headers.map((header) =>
                // A heading without a text would be read out as nothing.
                header === '' ? (
                  <td key={header} />
                ) : (
                  <th key={header} scope="col">
                    {header}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(([mark, name, parts, lines, trial], place) => (
              <Fragment key={place}>
                <tr class={lines.length > 0 ? 'leads' : ''}>
                  <th scope="row">
                    <Name name={name} scenarios={scenarios} />
                  </th>
                  <td>{mark !== null && <Badge mark={badgeOf(mark)} />}</td>
                  <td>
                    {parts[0]}{' '}
                    <span class="muted">
                      {parts.slice(1, trial === null ? undefined : -1).join(' · ')}
                      {trial !== null && (
                        <>
                          {parts.length > 2 && ' · '}
                          <Linked text={parts.at(-1) ?? ''} to={addressOf(name, trial, scenarios)} />
                        </>
                      )}
                    </span>
                  </td>
                </tr>
                {lines.length > 0 && (
                  <tr>
                    <td colSpan={headers.length + 1}>
                      <Below lines={lines} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
      {left}
    </>
  );
}

/** A row by itself. */
function About({ row: [mark, name, parts, , trial], scenarios }: AboutProps) {
  const last = trial === null ? null : addressOf(name, trial, scenarios);
  return (
    <>
      {mark !== null && <Badge mark={badgeOf(mark)} />} <strong>{name}</strong>{' '}
      <span class="muted">{parts.slice(0, last === null ? undefined : -1).join(' · ')}</span>{' '}
      {last !== null && <Linked text={parts.at(-1) ?? ''} to={last} />}
    </>
  );
}

interface AboutProps {
  readonly row: HtmlListing['rows'][number];
  readonly scenarios: readonly HtmlScenario[];
}

/** What stands below a row. */
function Below({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul class="below">
      {lines.map((line, place) => (
        <li key={place}>{line}</li>
      ))}
    </ul>
  );
}

interface FiguresProps {
  readonly figures: HtmlFigures;
  readonly title: string;
}

/** From so many numbers on a row has no room on a tablet, and stands there as lines. */
const MANY_COLUMNS = 6;

function FiguresView({ figures: { corners, headers, rows, more, chart }, title }: FiguresProps) {
  if (rows.length === 0) return null;
  const gauges = chart?.type === 'gauges' ? chart.gauges : null;
  // Tables of one panel may differ in what their rows are about alone.
  const [[about] = ['']] = rows;
  const isOfOne = about !== '' && rows.length > 1 && rows.every(([one]) => one === about);
  const label = `${title} by ${corners.join(' and ')}${isOfOne ? `: ${about}` : ''}`;
  return (
    <>
      {chart !== undefined && <ChartView chart={chart} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={label}>
        <table class={`small figures${headers.length >= MANY_COLUMNS ? ' many' : ''}`}>
          <thead>
            <tr>
              {corners.map((corner) => (
                <th key={corner} scope="col">
                  {capital(corner)}
                </th>
              ))}
              {headers.map((header) => (
                <th key={header} scope="col" class="number">
                  {header}
                </th>
              ))}
              {gauges !== null && <th scope="col">drawn</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(([one, other, cells], place) => (
              <tr key={place}>
                <th scope="row">{one}</th>
                <td data-label={corners[1]}>{other}</td>
                {cells.map((cell, column) => (
                  <td key={column} class="number" data-label={headers[column]}>
                    {cell}
                  </td>
                ))}
                {gauges !== null && (
                  <td>
                    <GaugeOf gauge={gauges[place]} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more > 0 && <p class="muted">{plural(more, 'row')} more; the JSON report has all.</p>}
    </>
  );
}

/** Linked where the name is that of one scenario. */
function Name({ name, scenarios }: { readonly name: string; readonly scenarios: readonly HtmlScenario[] }) {
  const place = placeOf(name, scenarios);
  return <Linked text={name} to={place === null ? null : scenarioAddress(place)} />;
}

function Linked({ text, to }: { readonly text: string; readonly to: string | null }) {
  return to === null ? <span>{text}</span> : <a href={to}>{text}</a>;
}

/** The address of a trial; null: the page does not show it, or several scenarios have that name. */
function addressOf(name: string, trial: number, scenarios: readonly HtmlScenario[]): string | null {
  const place = placeOf(name, scenarios);
  if (place === null) return null;
  const isShown = scenarios[place]?.detail?.failures.some((failure) => failure.trial === trial) === true;
  return isShown ? trialAddress(place, trial) : null;
}

/** The place of the only scenario of a name; null: there is none, or several. */
export function placeOf(name: string, scenarios: readonly HtmlScenario[]): number | null {
  const place = scenarios.findIndex((scenario) => scenario.name === name);
  const isOnly = place !== -1 && !scenarios.some((scenario, other) => other > place && scenario.name === name);
  return isOnly ? place : null;
}

function GaugeOf({ gauge }: { readonly gauge: Gauge | null | undefined }) {
  return gauge === null || gauge === undefined ? <span class="muted">–</span> : <GaugeView gauge={gauge} />;
}
