/** What the page shows: a scenario, and one of its trials; null: the overview, or no trial in particular. */
export interface Address {
  readonly scenario: number | null;
  readonly trial: number | null;
}

export function scenarioAddress(scenario: number): string {
  return `#/scenario/${scenario}`;
}

export function trialAddress(scenario: number, trial: number): string {
  return `${scenarioAddress(scenario)}/trial/${trial}`;
}

/** The address after `#`; whatever is none leads to the overview. */
export function readAddress(hash: string): Address {
  const [, scenario, trial] = /^#\/scenario\/(\d{1,9})(?:\/trial\/(\d{1,10}))?$/.exec(hash) ?? [];
  return { scenario: numberOf(scenario), trial: numberOf(trial) };
}

function numberOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
