import type { Role } from '../text/text-style.ts';

/**
 * One result as reports for people show it, in blocks that every renderer knows. All texts are harmless, in one line, and
 * as long as the longest report needs. Renderers shorten them to their room.
 */
export interface Section {
  /** The kind of result, such as `contract`. */
  readonly kind: string;
  readonly name: string;
  readonly mark: Mark;
  /** Its numbers in words. */
  readonly parts: readonly string[];
  /** True where nothing in it needs a look. */
  readonly isFine: boolean;
  /** '': none. */
  readonly description: string;
  readonly file: string;
  readonly blocks: readonly Block[];
}

export type Block = Notes | Matrix | EvidenceList;

/** Sign, word and colour; the sign alone tells marks of one kind apart. */
export interface Mark {
  readonly sign: string;
  /** At most six letters. */
  readonly word: string;
  /** In full words. */
  readonly name: string;
  readonly role: Role;
}

/** Sentences. */
export interface Notes {
  readonly type: 'notes';
  /** `reason`: why the result did not pass; its evidence says more. `warning`: what to know before it is trusted. */
  readonly tone: 'reason' | 'warning';
  readonly sentences: readonly string[];
}

/** Rows down, columns across, a mark in each cell. */
export interface Matrix {
  readonly type: 'matrix';
  /** What its rows are, such as `invariant`. */
  readonly corner: string;
  /** Between the names of a row and a column, such as `under`. */
  readonly joint: string;
  readonly columns: readonly MatrixSide[];
  readonly rows: readonly MatrixSide[];
  /** Row by row. */
  readonly cells: readonly MatrixCell[];
  /** All marks that a cell can have. */
  readonly marks: readonly Mark[];
  /** What its numbers count; '': it needs no legend. */
  readonly legend: string;
}

/** A row or a column. */
export interface MatrixSide {
  readonly name: string;
  /** Stands beside the name; '': nothing. */
  readonly remark: string;
  /** What is declared of it. */
  readonly facts: readonly Fact[];
}

export interface MatrixCell {
  readonly mark: Mark;
  /** The text beside the sign: its number, or the mark's word. */
  readonly text: string;
  /** Its number alone; '': none. */
  readonly share: string;
  /** The same in words, for screen readers. */
  readonly spoken: string;
  /** The evidence of the cell. A function, because of many cells few are shown. */
  facts(): readonly Fact[];
}

/**
 * Whose words a fact has: `plain` those of passk, `said` those of a subject, `judged` the verdict on these, `command` a
 * command to copy.
 */
export type FactTone = 'plain' | 'said' | 'judged' | 'command';

export interface Fact {
  /** At most six letters. */
  readonly label: string;
  /** '' where nothing was said. */
  readonly text: string;
  readonly tone: FactTone;
}

/** Cells or trials that need a look, the most severe first. */
export interface EvidenceList {
  readonly type: 'evidence';
  /** The word for one of them, such as `cell`. */
  readonly noun: string;
  readonly items: readonly Evidence[];
}

export interface Evidence {
  readonly mark: Mark;
  /** Names, which `joint` joins. */
  readonly names: readonly string[];
  readonly joint: string;
  /** How severe it is; '': nothing to say. */
  readonly remark: string;
  /** Its place among the cells of the section's matrix, where a page shows it; null: it is no cell. */
  readonly cell: number | null;
  /** A function, because of many items few are shown. */
  facts(): readonly Fact[];
}

/** A row for each result of a kind. Where there are many, those that passed are counted by folder. */
export interface ResultTable {
  /** What its rows are, such as `scenario`. */
  readonly corner: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly folded: readonly FoldedRow[];
}

export interface TableColumn {
  readonly header: string;
  /** Where there is no room for all, columns with the highest number are left out first. */
  readonly givesWay: number;
}

export interface TableRow {
  readonly mark: Mark;
  /** Whether it needs a look. */
  readonly isTrouble: boolean;
  readonly name: string;
  /** One for each column; null: there are no numbers. */
  readonly cells: readonly string[] | null;
  /** Why there are no numbers; '' where there are. */
  readonly why: string;
  /** What a reader should know beside its numbers; '': nothing. */
  readonly note: string;
}

/** A folder of results in which nothing is wrong. */
export interface FoldedRow {
  readonly mark: Mark;
  readonly name: string;
  /** Such as `3 scenarios`. */
  readonly members: string;
  readonly trials: number;
  /** What is not spotless in it; '': nothing. */
  readonly note: string;
}

/** Blocks of a type, in order. */
export function blocksOf<Type extends Block['type']>(
  { blocks }: Section,
  type: Type,
): readonly Extract<Block, { readonly type: Type }>[] {
  return blocks.filter((block): block is Extract<Block, { readonly type: Type }> => block.type === type);
}

const WORST_FIRST: readonly Role[] = ['bad', 'warn', 'strong', 'good', 'dim'];

/** The rank of a mark: that of marks that need a look is lowest. */
export function markRank({ role }: Pick<Mark, 'role'>): number {
  return WORST_FIRST.indexOf(role);
}
