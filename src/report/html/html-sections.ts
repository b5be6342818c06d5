import type { HtmlBlock, HtmlCell, HtmlEvidence, HtmlFact, HtmlMatrix, HtmlSection } from './html-model.ts';
import {
  type Block,
  blocksOf,
  type Evidence,
  type Fact,
  type Matrix,
  type MatrixSide,
  markRank,
  type Section,
} from '../sections/section.ts';

const MOST = { sentences: 40, evidence: 50 } as const;

/**
 * The sections as the page shows them, in about `maxBytes`. Matrices get room before facts of cells, and trouble before
 * the rest.
 */
export function htmlSections(
  sections: readonly Section[],
  maxBytes: number,
  bytesOf: (value: unknown) => number,
): { readonly sections: readonly HtmlSection[]; readonly moreSections: number } {
  let room = maxBytes;
  const shown = new Map<Section, HtmlSection>();
  const byNeed = [...sections].sort((one, other) => markRank(one.mark) - markRank(other.mark));
  for (const section of byNeed) {
    const plain = plainSection(section);
    const bytes = bytesOf(plain);
    if (bytes > room) continue;
    room -= bytes;
    shown.set(section, plain);
  }
  for (const section of byNeed) {
    const plain = shown.get(section);
    if (plain === undefined) continue;
    const blocks = section.blocks.filter(isShown).map((block) => {
      if (block.type !== 'matrix') return htmlBlock(block);
      const filled = withFacts(block, { section, room, bytesOf });
      room -= filled.bytes;
      return filled.matrix;
    });
    shown.set(section, { ...plain, blocks });
  }
  return {
    sections: sections.flatMap((section) => shown.get(section) ?? []),
    moreSections: sections.length - shown.size,
  };
}

function plainSection(section: Section): HtmlSection {
  const { kind, name, mark, parts, isFine, description, file } = section;
  return { kind, name, mark, parts, isFine, description, file, blocks: section.blocks.filter(isShown).map(htmlBlock) };
}

/** Whether a block is shown. Evidence that the cells of a matrix show is not listed as well. */
function isShown(block: Block): boolean {
  return block.type !== 'evidence' || block.items.some(({ cell }) => cell === null);
}

function htmlBlock(block: Block): HtmlBlock {
  switch (block.type) {
    case 'notes':
      return { ...block, sentences: block.sentences.slice(0, MOST.sentences) };
    case 'matrix':
      return htmlMatrix(block);
    case 'evidence':
      return htmlEvidence(block.items.filter(({ cell }) => cell === null));
  }
}

function htmlEvidence(items: readonly Evidence[]): HtmlEvidence {
  return {
    type: 'evidence',
    items: items
      .slice(0, MOST.evidence)
      .map(({ mark, names, joint, remark, facts }) => [mark, names.join(` ${joint} `), remark, htmlFacts(facts())]),
    more: Math.max(0, items.length - MOST.evidence),
  };
}

/** Without the facts of cells. */
function htmlMatrix({ corner, joint, columns, rows, cells, marks, legend }: Matrix): HtmlMatrix {
  const places = new Map(marks.map((mark, place) => [mark, place]));
  const side = ({ name, remark, facts }: MatrixSide): HtmlMatrix['rows'][number] => [name, remark, htmlFacts(facts)];
  return {
    type: 'matrix',
    corner,
    joint,
    marks,
    columns: columns.map(side),
    rows: rows.map(side),
    cells: cells.map(({ mark, share, spoken }): HtmlCell => [places.get(mark) ?? 0, share, spoken, null]),
    legend,
  };
}

interface Filling {
  readonly section: Section;
  readonly room: number;
  readonly bytesOf: (value: unknown) => number;
}

/** The matrix with the facts of as many cells as there is room for: those of evidence first, in its order. */
function withFacts(
  block: Matrix,
  { section, room, bytesOf }: Filling,
): { readonly matrix: HtmlMatrix; readonly bytes: number } {
  const { cells } = block;
  const matrix = htmlMatrix(block);
  const evidence = blocksOf(section, 'evidence').flatMap(({ items }) => items.map(({ cell }) => cell));
  const places = new Map(evidence.map((cell, place) => [cell, place]));
  const placeOf = (at: number): number => places.get(at) ?? evidence.length;
  const rankAt = (at: number): number => markRank(cells[at]?.mark ?? { role: 'dim' });
  const byNeed = [...cells.keys()].sort(
    (one, other) => placeOf(one) - placeOf(other) || rankAt(one) - rankAt(other) || one - other,
  );
  let bytes = 0;
  const filled = new Map<number, readonly HtmlFact[]>();
  for (const at of byNeed) {
    const facts = htmlFacts(cells[at]?.facts() ?? []);
    const more = bytesOf(facts);
    if (bytes + more > room) break;
    bytes += more;
    filled.set(at, facts);
  }
  const cellsWithFacts = matrix.cells.map(
    ([mark, share, spoken], at): HtmlCell => [mark, share, spoken, filled.get(at) ?? null],
  );
  return { matrix: { ...matrix, cells: cellsWithFacts }, bytes };
}

function htmlFacts(facts: readonly Fact[]): readonly HtmlFact[] {
  return facts.map(({ label, text, tone }) => [label, text, tone]);
}
