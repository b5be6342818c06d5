import { PasskError } from '../../errors.ts';
import type { PriceTable } from '../../types/reports/forecast.ts';
import type { Invariant, TokenPrice } from '../../types/invariant.ts';
import type { PlannedEndpoint } from '../../types/model-endpoint.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { Scenario, Subject } from '../../types/scenario.ts';
import type { DefinitionBase } from '../../types/suite-base.ts';

/** Where prices of a scenario's tokens may stand. */
export interface PriceSources {
  /** Given for the run; null: they are not. */
  readonly prices: number | PriceTable | null;
  /** What the scenario's file says; undefined: nothing. */
  readonly file: DefinitionBase['price'] | undefined;
  /** Real models that answer; {}: turns do. */
  readonly endpoints: Readonly<Record<string, PlannedEndpoint>>;
}

type Price = NonNullable<DefinitionBase['price']>;

/** The scenario with what a token costs in every rule about costs. Where nobody says, it is left as it is. */
export function withPrices<S extends Subject>(scenario: Scenario<S>, sources: PriceSources): Scenario<S> {
  const { expected } = scenario;
  const { invariants } = expected;
  if (invariants === undefined || !invariants.list.some(isAboutCost)) return scenario;
  const price = priceFrom(sources);
  if (price === undefined) return scenario;
  const list = invariants.list.map((invariant): Invariant => {
    const { rule } = invariant;
    return rule.type === 'max_cost' ? { ...invariant, rule: { ...rule, price: perToken(price) } } : invariant;
  });
  return { ...scenario, expected: { ...expected, invariants: { ...invariants, list } } };
}

/** Throws `USAGE` where a rule about costs has no price: nothing could ever obey it. */
export function requirePrices(plans: readonly ScenarioPlan[]): void {
  const unpriced = plans.filter(({ scenario }) =>
    scenario.expected.invariants?.list.some(({ rule }) => rule.type === 'max_cost' && rule.price === undefined),
  );
  const names = [...new Set(unpriced.map(({ scenario }) => scenario.part?.of ?? scenario.name))];
  if (names.length === 0) return;
  const [who, needs] = names.length === 1 ? ['the contract', 'has'] : ['the contracts', 'have'];
  throw new PasskError(
    'USAGE',
    `max_cost needs a price, and ${who} ${names.map((name) => `"${name}"`).join(', ')} ${needs} none.`,
    {
      hint: 'Give --price input=3,output=15 in USD per million tokens, [prices] in passk.toml, or price = { input = 3, output = 15 } under [contract].',
    },
  );
}

/** What a token of the scenario costs in its rules about costs; null: it has none. */
export function tokenPriceIn({ expected }: Scenario): TokenPrice | null {
  for (const { rule } of expected.invariants?.list ?? []) {
    if (rule.type === 'max_cost' && rule.price !== undefined) return rule.price;
  }
  return null;
}

/** The price as `--price` takes it. */
export function priceWord({ inputNanoUsd, outputNanoUsd }: TokenPrice): string {
  const usd = (nanoUsd: number): string => decimal(nanoUsd / 1000);
  return `input=${usd(inputNanoUsd)},output=${usd(outputNanoUsd)}`;
}

/** A model's own price, where all that answer cost the same; else the one that was given, the run's before the file's. */
function priceFrom({ prices, file, endpoints }: PriceSources): Price | undefined {
  const fallback = prices === null ? file : typeof prices === 'number' ? { input: prices, output: prices } : prices;
  const [first, ...others] = Object.values(endpoints).map(({ endpoint }) => endpoint.price ?? fallback);
  if (first === undefined) return fallback;
  const isOne = others.every((other) => other?.input === first.input && other.output === first.output);
  return isOne ? first : fallback;
}

/** One USD for a million tokens is 1,000 nano-USD for one. */
function perToken({ input, output }: Price): TokenPrice {
  const nano = (usd: number): number => Math.round(usd * 1e6) / 1e3;
  return { inputNanoUsd: nano(input), outputNanoUsd: nano(output) };
}

/** Without an exponent. */
function decimal(number: number): string {
  return number.toFixed(6).replace(/\.?0+$/, '');
}

function isAboutCost({ rule }: Invariant): boolean {
  return rule.type === 'max_cost';
}
