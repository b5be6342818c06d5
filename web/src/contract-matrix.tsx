import { useState } from 'preact/hooks';
import { CELL_MARKS } from '../../src/report/contract-marks.ts';
import { type CountedCell, cellShare, shareText } from '../../src/report/contract-texts.ts';
import { formatCount } from '../../src/report/format-number.ts';
import type { HtmlCell, HtmlContract } from '../../src/report/html-model.ts';

/** More columns than this have upright names. */
const MOST_FLAT = 6;

interface ContractMatrixProps {
  readonly contract: HtmlContract;
  readonly place: number;
  /** The cell whose evidence is shown. */
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}

/** Invariants down, columns across. One stop of the tab key; arrows move from cell to cell. */
export function ContractMatrix({ contract, place, chosen, onChoose }: ContractMatrixProps) {
  const { columns, rows, cells, name } = contract;
  const [active, setActive] = useState(chosen);
  if (cells.length === 0) return <p class="muted">It has no cell.</p>;
  const move = (event: KeyboardEvent): void => {
    const next = neighbour(active, event.key, columns.length, cells.length);
    if (next === null) return;
    event.preventDefault();
    setActive(next);
    document.getElementById(`cell-${place}-${next}`)?.focus();
  };
  return (
    <div class="scroll">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of buttons with arrow keys is a grid */}
      <table role="grid" class="matrix" aria-label={`Matrix of ${name}`} onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col">Invariant</th>
            {columns.map(([column], at) => (
              <th key={at} scope="col" class={columns.length > MOST_FLAT ? 'upright' : ''}>
                <span>{column}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([id, severity], row) => (
            <tr key={row}>
              <th scope="row">
                {id} <span class="file muted">{severity}</span>
              </th>
              {columns.map(([column], at) => {
                const cellAt = row * columns.length + at;
                const cell = cells[cellAt];
                return (
                  <td key={at}>
                    {cell !== undefined && (
                      <button
                        type="button"
                        id={`cell-${place}-${cellAt}`}
                        class={`cell ${CELL_MARKS[cell[0]].role}`}
                        tabIndex={cellAt === active ? 0 : -1}
                        aria-pressed={cellAt === chosen}
                        title={spokenCell(cell)}
                        onFocus={() => setActive(cellAt)}
                        onClick={() => onChoose(cellAt)}
                      >
                        <span class="unseen">{`${id} under ${column}: ${spokenCell(cell)}`}</span>
                        <span aria-hidden="true">
                          {CELL_MARKS[cell[0]].sign}
                          <Share cell={cell} />
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

/** How many trials obeyed: of those that a fault struck, where there are any. */
function Share({ cell }: { readonly cell: HtmlCell }) {
  const share = cellShare(countsOf(cell));
  if (share === null || cell[0] === 'broken') return null;
  return (
    <small>
      {formatCount(share.obeyed)}/{formatCount(share.trials)}
    </small>
  );
}

function spokenCell(cell: HtmlCell): string {
  const { name } = CELL_MARKS[cell[0]];
  return cell[2] === 0 ? name : `${name}, ${shareText(countsOf(cell))}`;
}

/** The counts of a cell under their names. */
export function countsOf([state, obeyed, judged, ofStruck]: HtmlCell): CountedCell {
  const [obeyedStruck, struck] = ofStruck ?? [null, null];
  return { state, obeyed, judged, struck, obeyedStruck };
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
