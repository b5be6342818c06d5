import type { BesideRow } from '../../src/report/sections/panel.ts';
import type { ComponentChildren } from 'preact';
import { plural } from '../../src/text/format-number.ts';
import type { HtmlBeside } from '../../src/report/html/html-model.ts';

interface BesideProps {
  readonly beside: HtmlBeside;
  /** What is to be said of both. */
  readonly about: ComponentChildren;
}

/** Two trials of one task side by side; where they first differ is marked, and said. */
export function BesideView({ beside: { about: row, titles, rows, earlier, later }, about }: BesideProps) {
  const [, name, , lines] = row;
  return (
    <section class="beside" aria-label={`${name}, before and now`}>
      <p>{about}</p>
      {lines.length > 0 && (
        <ul class="below">
          {lines.map((line, place) => (
            <li key={place}>{line}</li>
          ))}
        </ul>
      )}
      {earlier > 0 && <p class="muted">{plural(earlier, 'equal row')} before this</p>}
      <table class="small">
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <BesideRows key={place} row={row} />
          ))}
        </tbody>
      </table>
      {later > 0 && <p class="muted">{plural(later, 'row')} more; passk trace shows the trial.</p>}
    </section>
  );
}

function BesideRows({ row: { before, now, isFirst, differs } }: { readonly row: BesideRow }) {
  return (
    <>
      {isFirst && (
        <tr class="parts">
          <td colSpan={2}>▼ here they first differ</td>
        </tr>
      )}
      <tr class={differs ? 'differs' : ''}>
        <Side row={before} />
        <Side row={now} />
      </tr>
    </>
  );
}

function Side({ row }: { readonly row: BesideRow['now'] }) {
  if (row === null) return <td class="muted">–</td>;
  const [label, text] = row;
  return (
    <td>
      <span class="muted">{label}</span> <span class="said">{text}</span>
    </td>
  );
}
