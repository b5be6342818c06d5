/** What a mitigation is for, and what becomes of it without. */
export interface Proof {
  /** A statement of release-gate 7.4. */
  readonly name: string;
  /** What is turned off, in words. */
  readonly mitigation: string;
  /** Whether the statement holds; with `isOn` it must, without it must not. */
  holds(isOn: boolean): boolean | Promise<boolean>;
}

/** What one proof came to, with its mitigation and without. */
export interface Proved {
  readonly proof: Proof;
  readonly on: boolean;
  readonly off: boolean;
}

export async function proveAll(proofs: readonly Proof[]): Promise<readonly Proved[]> {
  const proved: Proved[] = [];
  for (const proof of proofs) proved.push({ proof, on: await proof.holds(true), off: await proof.holds(false) });
  return proved;
}

/** Proofs in rows, `#` where the statement holds: with the mitigation, and without. */
export function renderProofs(proved: readonly Proved[]): string {
  const width = Math.max(0, ...proved.map(({ proof }) => proof.name.length));
  const sign = (holds: boolean): string => (holds ? '#' : '·');
  return proved
    .map(({ proof, on, off }) => `${proof.name.padEnd(width)} ${sign(on)}${sign(off)} without ${proof.mitigation}\n`)
    .join('');
}
