import type { ReleaseChange } from '../../types/release/release-explanation.ts';

/** A change before anybody says which axis it is of. */
export type Change = Omit<ReleaseChange, 'axis' | 'isAdvisory'>;
