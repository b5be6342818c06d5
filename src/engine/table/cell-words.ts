// Where things stand in a cell. This file imports nothing: only then do bundles write its constants into the hot loop as
// numbers, where it would otherwise load each of them from memory on every step.

/** Cell `c` stands in `code` from `c << SHIFT` on, with these words. */
export const SHIFT = 4;
/** The next cell, where nothing needs to be done on the way; else 0. */
export const WAY = 0;
export const KIND = 1;
export const NODE = 2;
/** Visits since the counts were last cleared. */
export const VISITS = 3;
/** 1 where a passing trial has come by since then. */
export const PASSED = 4;
/** The node that the one edge leads to. */
export const NEXT = 5;
/** The first cell of that node, where there is only one; 0: it has to be looked up. */
export const NEXT_CELL = 6;
export const OUTPUT = 7;
/** Bytes of an output that is not light. */
export const BYTES = 8;
/** Where the cell's row of `after` begins. */
export const REPLIES = 9;
/** Billed calls of the answer that leads to the cell. */
export const CALLS = 10;

/** In place of a cell: the table does not know the way, the trial has ended, or the table has just learned what to do. */
export const LEFT = 0;
export const ENDED = -1;
export const AGAIN = -2;
