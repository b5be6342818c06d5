import { useState } from 'preact/hooks';
import type { HtmlMatrix } from '../../src/report/html/html-model.ts';
import { capital } from './rate.tsx';

/** More columns than this have upright names. */
const MOST_FLAT = 6;
/** Cells of more columns than this stand close together. */
const MOST_ROOMY = 12;
/** More rows than this scroll below the names of their columns. */
const MOST_OPEN = 20;

interface MatrixProps {
  readonly name: string;
  readonly matrix: HtmlMatrix;
  /** Unlike those of all other matrices of the page. */
  readonly id: string;
  /** The cell whose facts are shown. */
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}

/** Rows down, columns across. One stop of the tab key; arrows move from cell to cell. */
export function MatrixGrid({ name, matrix, id, chosen, onChoose }: MatrixProps) {
  const { columns, rows, cells, corner, joint, marks } = matrix;
  const [active, setActive] = useState(chosen);
  if (cells.length === 0) return <p class="muted">It has no cell.</p>;
  const move = (event: KeyboardEvent): void => {
    const next = neighbour(active, event.key, columns.length, cells.length);
    if (next === null) return;
    event.preventDefault();
    setActive(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  const looks = columns.length > MOST_ROOMY ? 'matrix dense' : 'matrix';
  return (
    <div class={rows.length > MOST_OPEN ? 'scroll tall' : 'scroll'}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of buttons with arrow keys is a grid */}
      <table role="grid" class={looks} aria-label={`Matrix of ${name}`} onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col">{capital(corner)}</th>
            {columns.map(([column], at) => (
              <th key={at} scope="col" class={columns.length > MOST_FLAT ? 'upright' : ''} title={column}>
                <span>{column}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, remark], row) => (
            <tr key={row}>
              <th scope="row">
                {title} <span class="file muted">{remark}</span>
              </th>
              {columns.map(([column], at) => {
                const cellAt = row * columns.length + at;
                const [place = 0, share = '', spoken = ''] = cells[cellAt] ?? [];
                const mark = marks[place];
                return (
                  <td key={at}>
                    {mark !== undefined && (
                      <button
                        type="button"
                        id={`${id}-${cellAt}`}
                        class={`cell ${mark.role}`}
                        tabIndex={cellAt === active ? 0 : -1}
                        aria-pressed={cellAt === chosen}
                        title={spoken}
                        onFocus={() => setActive(cellAt)}
                        onClick={() => onChoose(cellAt)}
                      >
                        <span class="unseen">{`${title} ${joint} ${column}: ${spoken}`}</span>
                        <span aria-hidden="true">
                          {mark.sign}
                          {share !== '' && <small>{share}</small>}
                        </span>
                      </button>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where a key leads from a cell; null: nowhere. */
function neighbour(at: number, key: string, width: number, count: number): number | null {
  const column = at % width;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: column > 0 ? -1 : 0,
    ArrowRight: column < width - 1 ? 1 : 0,
    ArrowUp: -width,
    ArrowDown: width,
    Home: -column,
    End: width - 1 - column,
  };
  const step = steps[key];
  if (step === undefined) return null;
  const next = at + step;
  return next < 0 || next >= count ? at : next;
}
