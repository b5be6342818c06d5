import { visibleText } from '../text/visible-text.ts';
import { isPythonObject, type PythonJson, PythonNumber } from './python-json.ts';
import { unusable } from './unusable.ts';

/** `$.choices[0].message.content`, `choices.0.message`, `['a key'].x`: keys and positions; null: it is no path. */
export function parseResponsePath(path: string): readonly string[] | null {
  const rest = path.trim().replace(/^[$.]+/, '');
  const segments: string[] = [];
  let end = 0;
  for (const match of rest.matchAll(SEGMENT)) {
    const [whole, key, position, double, single] = match;
    if (match.index !== end) return null;
    end = match.index + whole.length;
    segments.push(key ?? position ?? (double ?? single ?? '').replace(/\\(.)/g, '$1'));
  }
  return end === rest.length ? segments : null;
}

/** The same; throws for a text that is no path. */
export function requirePath(written: string): readonly string[] {
  const path = parseResponsePath(written);
  if (path !== null) return path;
  throw unusable(`The response path ${visibleText(written)} cannot be read; write it as $.choices[0].message.content.`);
}

const SEGMENT = /\.?([^.[\]]+)|\[(-?\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\]/g;

/** The value at the end of the path; undefined: it leads nowhere. */
export function valueAtPath(value: PythonJson, path: readonly string[]): PythonJson | undefined {
  let current: PythonJson | undefined = value;
  for (const segment of path) {
    if (current === undefined || current === null || typeof current !== 'object') return undefined;
    if (current instanceof PythonNumber) return undefined;
    if (isPythonObject(current)) current = current.get(segment);
    else current = /^-?\d+$/.test(segment) ? current.at(Number(segment)) : undefined;
  }
  return current;
}
