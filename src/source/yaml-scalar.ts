/** What a scalar of YAML 1.1 says; an integer that is too large stays a bigint. */
export type YamlValue = string | number | bigint | boolean | null;

/**
 * The value of a plain scalar, by the rules of YAML 1.1 as PyYAML reads them: `yes` and `on` are true, `017` is 15,
 * `1:30` is 90, `1_000` is 1000; `1e3`, `0o17` and dates are text. Infinity and not-a-number are null.
 */
export function plainScalar(text: string): YamlValue {
  if (NULL.has(text)) return null;
  const truth = TRUTHS.get(text.toLowerCase());
  // Only these three ways of writing them count.
  if (truth !== undefined && CASES.some((inCase) => inCase(text) === text)) return truth;
  if (INT.test(text)) return intOf(text);
  if (FLOAT.test(text)) return floatOf(text);
  return text;
}

/** The value that a tag says a text has; undefined: it is no such value. */
export function taggedScalar(tag: string, text: string): YamlValue | undefined {
  const value = plainScalar(text);
  switch (tag) {
    case 'str':
    case 'timestamp':
      return text;
    case 'null':
      return value === null ? null : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'int':
      return INT.test(text) ? value : undefined;
    case 'float':
      return INT.test(text) || FLOAT.test(text) || EXPONENT.test(text) ? Number(value) : undefined;
    default:
      return undefined;
  }
}

const NULL: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL']);

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
  ['true', true],
  ['false', false],
  ['on', true],
  ['off', false],
]);

const CASES: readonly ((text: string) => string)[] = [
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
];

const INT = /^[-+]?(?:0b[01_]+|0x[\da-fA-F_]+|0[0-7_]+|0|[1-9][\d_]*|[1-9][\d_]*(?::[0-5]?\d)+)$/;
const FLOAT =
  /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const EXPONENT = /^[-+]?\d+[eE][-+]?\d+$/;

function intOf(text: string): number | bigint {
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  const size = digits.includes(':') ? BigInt(sexagesimal(digits)) : BigInt(written(digits));
  const value = isNegative ? -size : size;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** As JavaScript writes the same number. */
function written(digits: string): string {
  if (/^0[bx]$/.test(digits)) return '0';
  return /^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits;
}

function floatOf(text: string): number | null {
  if (/\.(?:inf|nan)$/i.test(text)) return null;
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  const value = digits.includes(':') ? sexagesimal(digits) : Number(digits);
  return Number.isFinite(value) ? sign * value : null;
}

/** Sixties, as in 1:30:00. */
function sexagesimal(digits: string): number {
  let value = 0;
  for (const part of digits.split(':')) value = value * 60 + Number(part);
  return Number.isFinite(value) && value <= Number.MAX_SAFE_INTEGER ? value : Number.MAX_SAFE_INTEGER;
}
