import { useState } from 'preact/hooks';
import { plural } from '../../src/text/format-number.ts';
import type { HtmlBlock, HtmlFact, HtmlMatrix, HtmlReport, HtmlSection } from '../../src/report/html/html-model.ts';
import { markRank } from '../../src/report/sections/section.ts';
import { Replay } from './failures.tsx';
import { MatrixGrid } from './matrix.tsx';
import { Badge, badgeOf, capital } from './rate.tsx';

/** With more sections than this, those in which nothing is red are folded away. */
const MOST_OPEN = 3;

interface SectionsProps {
  readonly report: HtmlReport;
  /** Which are shown: those that are fine, and what is to be said of all; or those that are not. */
  readonly isFine: boolean;
}

/** Results that have blocks of their own; what a cell rests on is a click away. */
export function Sections({ report, isFine }: SectionsProps) {
  const { sections, moreSections, overall } = report;
  const notRun = overall?.notRun ?? [];
  if (sections.length + moreSections === 0) return null;
  const cards = sections.map((section, place) =>
    section.isFine !== isFine ? null : (
      <SectionCard
        key={place}
        section={section}
        id={`section-${place}`}
        folded={sections.length > MOST_OPEN && isSpotless(section)}
      />
    ),
  );
  if (!isFine) return <>{cards}</>;
  return (
    <>
      {cards}
      {notRun.map((sentence, place) => (
        <p key={place} class="muted">
          {sentence}
        </p>
      ))}
      {moreSections > 0 && (
        <p class="muted">
          The size limit of the page left out {plural(moreSections, 'result')}; the JSON report has all.
        </p>
      )}
    </>
  );
}

interface SectionProps {
  readonly section: HtmlSection;
  readonly id: string;
}

function SectionCard({ section, id, folded }: SectionProps & { readonly folded: boolean }) {
  const { kind, name, mark, parts } = section;
  const title = (
    <h2 id={id}>
      <span class="muted">{capital(kind)}</span> {name} <Badge mark={badgeOf(mark)} />
    </h2>
  );
  if (!folded) {
    return (
      <section class="card" aria-labelledby={id}>
        {title}
        <SectionBody section={section} id={id} />
      </section>
    );
  }
  return (
    <details class="card">
      <summary>
        {title} <span class="muted">{parts[0]}</span>
      </summary>
      <SectionBody section={section} id={id} />
    </details>
  );
}

function SectionBody({ section, id }: SectionProps) {
  const { description, parts, file, blocks } = section;
  return (
    <>
      {description !== '' && <p>{description}</p>}
      <p class="number">
        {parts.join(' · ')} <span class="file muted">{file}</span>
      </p>
      {blocks.map((block, place) => (
        <BlockView key={place} block={block} name={section.name} id={`${id}-${place}`} />
      ))}
    </>
  );
}

interface BlockProps {
  readonly block: HtmlBlock;
  readonly name: string;
  readonly id: string;
}

function BlockView({ block, name, id }: BlockProps) {
  switch (block.type) {
    case 'notes':
      if (block.sentences.length === 0) return null;
      return (
        <ul>
          {block.sentences.map((sentence, place) => (
            <li key={place}>{sentence}</li>
          ))}
        </ul>
      );
    case 'matrix':
      return <MatrixView name={name} matrix={block} id={id} />;
    case 'evidence':
      return (
        <>
          {block.items.map(([mark, names, remark, facts], place) => (
            <details key={place} class="failure">
              <summary>
                <Badge mark={badgeOf(mark)} /> {names} {remark !== '' && <span class="muted">{remark}</span>}
              </summary>
              <Facts facts={facts} />
            </details>
          ))}
          {block.more > 0 && <p class="muted">{block.more} more; the JSON report has all.</p>}
        </>
      );
  }
}

function MatrixView({ name, matrix, id }: { readonly name: string; readonly matrix: HtmlMatrix; readonly id: string }) {
  const [chosen, setChosen] = useState(() => worstCell(matrix));
  const { cells, rows, columns, marks, joint, legend } = matrix;
  const [title, , ofRow] = rows[Math.floor(chosen / columns.length)] ?? ['', '', []];
  const [column, , ofColumn] = columns[chosen % columns.length] ?? ['', '', []];
  const [place = 0, , , facts = []] = cells[chosen] ?? [];
  const mark = marks[place];
  return (
    <>
      <MatrixGrid name={name} matrix={matrix} id={id} chosen={chosen} onChoose={setChosen} />
      {cells.length > 0 && <p class="muted">{[signLegend(matrix), ...(legend === '' ? [] : [legend])].join('. ')}</p>}
      <div class="evidence" aria-live="polite">
        {mark !== undefined && cells.length > 0 && (
          <>
            <h3>
              <Badge mark={badgeOf(mark)} /> {title} <span class="muted">{joint}</span> {column}
            </h3>
            <Facts facts={[...ofRow, ...ofColumn, ...(facts ?? [])]} />
            {facts === null && (
              <p class="muted">The size limit of the page left out what it rests on; the JSON report has it.</p>
            )}
          </>
        )}
      </div>
    </>
  );
}

/** Labelled rows, and commands to copy below them. */
function Facts({ facts }: { readonly facts: readonly HtmlFact[] }) {
  const rows = facts.filter(([, , tone]) => tone !== 'command');
  return (
    <>
      {rows.length > 0 && (
        <dl class="pairs">
          {rows.map(([label, text, tone], place) => (
            <div key={place}>
              <dt>{capital(label)}</dt>
              <dd>{tone === 'said' ? <Said text={text} /> : tone === 'judged' ? <strong>{text}</strong> : text}</dd>
            </div>
          ))}
        </dl>
      )}
      {facts
        .filter(([, , tone]) => tone === 'command')
        .map(([, command], place) => (
          <Replay key={place} command={command} />
        ))}
    </>
  );
}

/** A blank line would hide that nothing was said. */
function Said({ text }: { readonly text: string }) {
  return text === '' ? <span class="muted">empty: it has no text</span> : <span class="said">{text}</span>;
}

function isSpotless({ isFine, blocks }: HtmlSection): boolean {
  const isCalm = (block: HtmlBlock): boolean =>
    block.type !== 'matrix' || block.cells.every(([place]) => block.marks[place]?.role !== 'bad');
  return isFine && blocks.every(isCalm);
}

/** The signs of its cells and what they mean: `✓ passed, · not applicable`. */
function signLegend({ marks, cells }: HtmlMatrix): string {
  const seen = new Set(cells.map(([place]) => place));
  return marks.flatMap(({ sign, name }, place) => (seen.has(place) ? [`${sign} ${name}`] : [])).join(', ');
}

/** What people look for first. */
function worstCell({ cells, marks }: HtmlMatrix): number {
  const rankAt = (at: number): number => markRank(marks[cells[at]?.[0] ?? 0] ?? { role: 'dim' });
  return [...cells.keys()].reduce((worst, at) => (rankAt(at) < rankAt(worst) ? at : worst), 0);
}
