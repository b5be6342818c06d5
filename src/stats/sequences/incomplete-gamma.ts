import { deviance } from '../deviance.ts';
import { stirlingRemainder } from '../stirling-remainder.ts';

/**
 * ln of the regularised lower incomplete gamma function P(a, x) for a > 0 and x ≥ a, where it lies between ½ and 1: absolute
 * error below 1e-12. Series near a, continued fraction beyond. Source: NIST DLMF 8.11.4 and 8.9.2.
 */
export function logGammaChance(a: number, x: number): number {
  // x^a·e^(−x) / Γ(a + 1), by Stirling's formula, so that no digits are lost where a is large.
  const factor = Math.exp(-deviance(a, x) - stirlingRemainder(a)) / Math.sqrt(2 * Math.PI * a);
  if (x < a + 1) return Math.min(0, Math.log(factor * series(a, x)));
  return Math.log1p(-Math.min(1, factor * a * fraction(a, x)));
}

const MOST_TERMS = 100_000;
const CLOSE = 1e-16;

/** 1 + x/(a + 1) + x²/((a + 1)(a + 2)) + … */
function series(a: number, x: number): number {
  let [term, sum] = [1, 1];
  for (let n = 1; n <= MOST_TERMS && term > CLOSE * sum; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** Γ(a, x) / (x^a·e^(−x)) by the modified method of Lentz. */
function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n <= MOST_TERMS; n++) {
    const top = -n * (n - a);
    b += 2;
    d = 1 / nonZero(top * d + b);
    c = nonZero(b + top / c);
    const change = c * d;
    value *= change;
    if (Math.abs(change - 1) <= CLOSE) break;
  }
  return value;
}

const TINY = 1e-300;

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
