import { useState } from 'preact/hooks';
import { CELL_MARKS, CONTRACT_MARKS } from '../../src/report/contract-marks.ts';
import { shareText } from '../../src/report/contract-texts.ts';
import type { Mark as SectionMark } from '../../src/report/sections/section.ts';
import { formatCount, formatInterval, plural } from '../../src/report/format-number.ts';
import type { HtmlCell, HtmlContract, HtmlEvidence, HtmlReport } from '../../src/report/html-model.ts';
import { ContractMatrix, countsOf } from './contract-matrix.tsx';
import { Replay } from './failures.tsx';
import { Badge, type Mark } from './rate.tsx';

/** With more contracts than this, those in which nothing is red are folded away. */
const MOST_OPEN = 3;

/** Every contract with its matrix; what a cell rests on is a click away. */
export function Contracts({ report }: { readonly report: HtmlReport }) {
  const { contracts, moreContracts, overall } = report;
  const notRun = overall?.notRun ?? [];
  if (contracts.length + moreContracts === 0) return null;
  return (
    <>
      {contracts.map((contract, place) => (
        <Contract
          key={place}
          contract={contract}
          place={place}
          folded={contracts.length > MOST_OPEN && isSpotless(contract)}
        />
      ))}
      {notRun.map((sentence, place) => (
        <p key={place} class="muted">
          {sentence}
        </p>
      ))}
      {moreContracts > 0 && (
        <p class="muted">
          The size limit of the page left out {plural(moreContracts, 'contract')}; the JSON report has all.
        </p>
      )}
    </>
  );
}

interface ContractProps {
  readonly contract: HtmlContract;
  readonly place: number;
  readonly folded: boolean;
}

function Contract({ contract, place, folded }: ContractProps) {
  const title = (
    <h2 id={`contract-${place}`}>
      <span class="muted">Contract</span> {contract.name} <Badge mark={badgeOf(CONTRACT_MARKS[contract.verdict])} />
    </h2>
  );
  if (!folded) {
    return (
      <section class="card" aria-labelledby={`contract-${place}`}>
        {title}
        <ContractBody contract={contract} place={place} />
      </section>
    );
  }
  return (
    <details class="card">
      <summary>
        {title} <span class="muted">{contract.headline[0]}</span>
      </summary>
      <ContractBody contract={contract} place={place} />
    </details>
  );
}

function ContractBody({ contract, place }: Omit<ContractProps, 'folded'>) {
  // Why it failed stands at the verdict above and in its cells.
  const { verdict, description, file, headline, reasons, notes, cells } = contract;
  const [chosen, setChosen] = useState(() => firstRed(cells));
  const cell = cells[chosen];
  return (
    <>
      {description !== '' && <p>{description}</p>}
      <p class="number">
        {headline.join(' · ')} <span class="file muted">{file}</span>
      </p>
      {verdict !== 'failed' && reasons.length > 0 && <Sentences sentences={reasons} />}
      <ContractMatrix contract={contract} place={place} chosen={chosen} onChoose={setChosen} />
      <div class="evidence" aria-live="polite">
        {cell !== undefined && <CellView contract={contract} at={chosen} cell={cell} />}
      </div>
      {notes.length > 0 && <Sentences sentences={notes} />}
    </>
  );
}

function isSpotless({ verdict, cells }: HtmlContract): boolean {
  return verdict === 'passed' && cells.every(([state]) => state !== 'failed' && state !== 'broken');
}

/** What people look for first. */
function firstRed(cells: readonly HtmlCell[]): number {
  const find = (wanted: HtmlCell[0]): number => cells.findIndex(([state]) => state === wanted);
  return [find('failed'), find('broken'), find('inconclusive')].find((at) => at !== -1) ?? 0;
}

function badgeOf({ sign, name, role }: SectionMark): Mark {
  return { sign, word: name, role: role === 'good' || role === 'bad' ? role : 'warn' };
}

function Sentences({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <ul>
      {sentences.map((sentence, place) => (
        <li key={place}>{sentence}</li>
      ))}
    </ul>
  );
}

interface CellViewProps {
  readonly contract: HtmlContract;
  readonly at: number;
  readonly cell: HtmlCell;
}

/** What one cell rests on. */
function CellView({ contract: { columns, rows }, at, cell }: CellViewProps) {
  const [state, , judged, , interval, why, evidence] = cell;
  const [id, severity, type, when] = rows[Math.floor(at / columns.length)] ?? ['', '', '', ''];
  const [column, faults] = columns[at % columns.length] ?? ['', []];
  // What is said of such a cell counts its trials and names the bar.
  const isCounted = judged > 1 && (state === 'failed' || state === 'passed');
  return (
    <>
      <h3>
        <Badge mark={badgeOf(CELL_MARKS[state])} /> {id} <span class="muted">under</span> {column}
      </h3>
      <dl class="pairs">
        <Pair name="Invariant">
          {severity}, <code>{type}</code>
          {when !== 'always' && `, judged when ${when.replaceAll('_', ' ')}`}
        </Pair>
        {faults.length > 0 && (
          <Pair name="Faults">
            {faults.map(([fault, fired, detail, where], place) => (
              <div key={place}>
                <code>{fault}</code> {detail !== '' && `${detail}; `}
                <span class="muted">in {where}</span>
                {', '}
                {fired === 0 ? 'never fired' : `fired ${fired === 1 ? 'once' : `${formatCount(fired)} times`}`}
              </div>
            ))}
          </Pair>
        )}
        {judged > 1 && (
          <Pair name="Obeyed">
            {isCounted && why !== '' ? why : shareText(countsOf(cell))}
            {interval !== null && <span class="muted"> {formatInterval(interval)}</span>}
          </Pair>
        )}
        {why !== '' && !isCounted && why !== evidence?.message && <Pair name="Why">{why}</Pair>}
        {evidence !== null && <Evidence evidence={evidence} trials={judged} />}
      </dl>
      {evidence === null && state === 'failed' && (
        <p class="muted">The size limit of the page left out its evidence; the JSON report has it.</p>
      )}
      {evidence !== null && evidence.replay !== '' && <Replay command={evidence.replay} />}
    </>
  );
}

function Evidence({ evidence, trials }: { readonly evidence: HtmlEvidence; readonly trials: number }) {
  const { prompt, trial, answer, message, fired } = evidence;
  return (
    <>
      {trials > 1 && <Pair name="Trial">{formatCount(trial)}</Pair>}
      <Pair name="Prompt">
        <span class="said">{prompt}</span>
      </Pair>
      <Pair name="Fired">
        {fired.length === 0 ? <span class="muted">no fault</span> : <code>{fired.join(', ')}</code>}
      </Pair>
      <Pair name="Answer">
        {answer === null ? <span class="muted">none</span> : <span class="said">{answer}</span>}
      </Pair>
      <Pair name="Judged">
        <strong>{message}</strong>
      </Pair>
    </>
  );
}

function Pair({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
