/** What a suite is made of. */
export const SUITE_PARTS = ['scenarios', 'contracts', 'models'] as const;

/** Which part of a suite is loaded. */
export type SuitePart = (typeof SUITE_PARTS)[number];
