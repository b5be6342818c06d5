/** The list of nothing: one for all, as most lists that a file may have are left out. */
export const NO_ITEMS: readonly never[] = Object.freeze([]);

/** The table of nothing. */
export const NO_ENTRIES: Readonly<Record<string, never>> = Object.freeze({});
