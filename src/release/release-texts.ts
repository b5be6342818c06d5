import type { Candidate } from '../types/release/eval-body.ts';

/** What is released, in words. */
export function candidateText({ name, version }: Pick<Candidate, 'name' | 'version'>): string {
  return `${name} ${version}`;
}

/** What a ledger calls a model of which nobody says the name. */
export const UNTOLD_MODEL = 'model';

/** A share in percent, with three digits. */
export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** An amount with four digits. */
export function dollars(usd: number): string {
  return `$${Number(usd.toPrecision(4))}`;
}
