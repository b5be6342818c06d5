/** A share in percent, with one decimal: `12.5 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
