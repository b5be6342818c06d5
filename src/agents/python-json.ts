/**
 * JSON as Python's reader keeps it: objects in the order of their keys, numbers in the digits they came in. Agents of
 * other tools are judged by texts that Python wrote.
 */
export type PythonJson = null | boolean | string | PythonNumber | readonly PythonJson[] | PythonObject;

export type PythonObject = ReadonlyMap<string, PythonJson>;

/** As it stood in the text. */
export class PythonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Deeper nesting is refused, as Python does. */
const DEEPEST = 900;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Undefined: the text is no JSON, or nested too deeply. */
export function parsePythonJson(text: string): PythonJson | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  // Numbers become texts, so that their digits survive, and both say what they were.
  const marked = text.replace(TOKEN, (token) => (token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`));
  return converted(JSON.parse(marked), 0);
}

/** As `json.dumps(value, ensure_ascii=False)` writes it. */
export function pythonJsonText(value: PythonJson): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (value instanceof PythonNumber) return numberText(value, 'Infinity');
  if (isList(value)) return `[${value.map(pythonJsonText).join(', ')}]`;
  const entries = [...value].map(([key, entry]) => `${JSON.stringify(key)}: ${pythonJsonText(entry)}`);
  return `{${entries.join(', ')}}`;
}

/** The answer that a value stands for: text as it is, lists and objects as JSON, the rest as `str` writes it. */
export function pythonText(value: PythonJson): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value instanceof PythonNumber ? numberText(value, 'inf') : pythonJsonText(value);
}

export function isPythonObject(value: PythonJson): value is PythonObject {
  return value instanceof Map;
}

function isList(value: PythonObject | readonly PythonJson[]): value is readonly PythonJson[] {
  return Array.isArray(value);
}

function converted(value: unknown, depth: number): PythonJson | undefined {
  if (typeof value === 'string') return value.startsWith('n') ? new PythonNumber(value.slice(1)) : value.slice(1);
  if (value === null || typeof value !== 'object') return typeof value === 'boolean' ? value : null;
  if (depth >= DEEPEST) return undefined;
  if (Array.isArray(value)) {
    const items: PythonJson[] = [];
    for (const entry of value) {
      const item = converted(entry, depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
  const object = new Map<string, PythonJson>();
  for (const [key, entry] of Object.entries(value)) {
    const item = converted(entry, depth + 1);
    if (item === undefined) return undefined;
    object.set(key.slice(1), item);
  }
  return object;
}

/** Python writes exponents from 16 digits on and below 0.0001, with two digits at least; whole numbers never. */
function numberText({ text }: PythonNumber, infinity: string): string {
  if (/^-?\d+$/.test(text)) return text === '-0' ? '0' : text;
  const value = Number(text);
  if (!Number.isFinite(value)) return value < 0 ? `-${infinity}` : infinity;
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', exponentText = ''] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
    return `${sign}${mantissa}e${power}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
