/** What a suite is made of. */
export const SUITE_PARTS = ['scenarios', 'contracts', 'models'] as const;

export type SuitePart = (typeof SUITE_PARTS)[number];
