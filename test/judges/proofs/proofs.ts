import { askingProofs } from './asking-proofs.ts';
import { biasProofs } from './bias-proofs.ts';
import type { Proof } from './proof.ts';

/** Every statement of release-gate 7.4 that a judge may be trusted for. */
export const proofs: readonly Proof[] = [...biasProofs, ...askingProofs];
