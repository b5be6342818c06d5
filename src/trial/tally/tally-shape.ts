import { halfSipHash } from '../../random/half-sip-hash.ts';
import type { ProgramInfo } from '../program-info.ts';

/** Sizes that a scenario's program fixes. */
export interface TallyShape {
  readonly nodes: number;
  readonly edges: number;
  readonly checks: number;
  /** Variants of each turn, all turns in file order. */
  readonly variants: readonly number[];
  /** Declared faults around the subject. */
  readonly faults: number;
  /** Checks that give rulings, all of the scenario's; absent: none does. */
  readonly rulings?: number;
  /** True: trials are attempts at tasks, and counted by them too; absent: they are not. */
  readonly tasks?: true;
  /** Sub-goals of sessions; absent: trials are none. */
  readonly goals?: number;
  /** Models of each judge that is asked; absent: none is. */
  readonly judges?: readonly number[];
  /** True: a row of each trial is kept; absent: none is. */
  readonly rows?: true;
  /** True: so are the records of the lowest trial that passed and the lowest that failed; absent: they are not. */
  readonly firstRecords?: true;
  /** Digest of the names behind all positions: tallies of other columns must not be added. */
  readonly columns: string;
}

/** The sizes of a program's tallies, and which names stand behind their positions. */
export function shapeOf({
  nodes,
  edges,
  checks,
  turns,
  faults,
  givesRulings,
  hasTasks,
  goals,
  judges,
  hasRows,
  hasFirstRecords,
}: ProgramInfo): TallyShape {
  return {
    nodes: nodes.length,
    edges: edges.length,
    checks: checks.length,
    variants: turns.map(({ variants }) => variants),
    faults: faults.length,
    ...(givesRulings === true && { rulings: checks.length }),
    ...(hasTasks === true && { tasks: true }),
    ...(goals !== undefined && { goals: goals.length }),
    ...(judges !== undefined && { judges: judges.map(({ models }) => models.length) }),
    ...(hasRows === true && { rows: true }),
    ...(hasFirstRecords === true && { firstRecords: true }),
    columns: columnsDigest({
      nodes,
      edges,
      checks,
      turns,
      faults,
      ...(goals !== undefined && { goals }),
      ...(judges !== undefined && { judges }),
    }),
  };
}

/**
 * HalfSipHash of all column names in their order, as sixteen hexadecimal digits. Tallies count by position, so two sides
 * that order columns differently must notice; nobody gains by making two orders alike.
 */
function columnsDigest({ nodes, edges, checks, turns, faults, goals, judges }: ProgramInfo): string {
  const names = [
    nodes.map(({ node, type }) => [node, type]),
    edges.map(({ from, to, when }) => [from, to, when]),
    checks,
    turns.map(({ turn, variants }) => [turn, variants]),
    faults,
    ...(goals === undefined ? [] : [goals]),
    ...(judges === undefined ? [] : [judges.map(({ judge, models }) => [judge, models])]),
  ];
  const words = halfSipHash([0, 0], JSON.stringify(names));
  return words.map((word) => word.toString(16).padStart(8, '0')).join('');
}
