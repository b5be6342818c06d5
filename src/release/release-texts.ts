/** A share in percent, with three digits. */
export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** An amount with four digits. */
export function dollars(usd: number): string {
  return `$${Number(usd.toPrecision(4))}`;
}
