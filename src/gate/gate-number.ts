/** A decimal number as gates write them: `0.95`, `.95`, `95%`, `95 %`, `1e6`, `2_000`; null for anything else. */
export function gateNumber(text: string): number | null {
  const isPercent = text.endsWith('%');
  const digits = isPercent ? text.slice(0, -1).trimEnd() : text;
  if (!/^-?(?:[0-9]+(?:_[0-9]+)*)?(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/.test(digits) || !/[0-9]/.test(digits))
    return null;
  const value = Number(digits.replaceAll('_', ''));
  if (!Number.isFinite(value)) return null;
  // Divided in decimal: 95.1 / 100 as a double is not 0.951.
  return isPercent ? Number(`${value}e-2`) : value;
}
