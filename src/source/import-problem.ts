import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../values/file-problem.ts';
import { messageOf } from '../values/message-of.ts';
import { fileWord } from '../values/shell-word.ts';
import { missingPathHint } from './missing-path.ts';
import { NoPlainModule, StuckModule } from './run-module.ts';

/** Why a module of the user could not be loaded, for people. */
export interface ImportProblem {
  readonly reason: string;
  readonly hint: string;
}

/** `url`: a file URL, or the name of a package; `node`: the version that runs. */
export function importProblem(cause: unknown, url: string, node: string): ImportProblem {
  switch (codeOf(cause)) {
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return /\.[cm]?ts$/.test(url)
        ? {
            reason: `Node ${node} does not run TypeScript.`,
            hint: 'Node 22.18 and later do. Here, compile it to JavaScript, or set NODE_OPTIONS="--import tsx".',
          }
        : { reason: messageOf(cause), hint: 'Name a JavaScript module (.js or .mjs).' };
    case 'ERR_MODULE_NOT_FOUND':
      return isItself(cause, url)
        ? { reason: 'there is no such file.', hint: meantHint(url) }
        : { reason: messageOf(cause), hint: 'Check the path, or install the package that is named.' };
    default: {
      if (cause instanceof NoPlainModule) return { reason: cause.message, hint: 'Name a regular file.' };
      if (cause instanceof StuckModule) return { reason: cause.message, hint: 'Look at what it awaits.' };
      if (isMistakenForCommonJs(cause, url)) {
        return {
          reason: 'it is written as a module, and the nearest package.json has "type": "commonjs".',
          hint: `Rename it to ${path.basename(fileURLToPath(url)).replace(/(?<=\.)(?=[jt]s$)/, 'm')}, or write "type": "module" there.`,
        };
      }
      if (cause instanceof SyntaxError && isTypeScript(url)) {
        const base = path.basename(fileURLToPath(url));
        return {
          reason: `it is written in TypeScript, and its name is that of JavaScript. Leave its types out, or name it ${base.replace(/js$/, 'ts')}.`,
          hint: 'Node runs TypeScript from 22.18 on.',
        };
      }
      const place = placeIn(cause, url);
      if (place !== null) {
        const verb = cause instanceof SyntaxError ? 'It cannot be read' : 'It threw';
        return { reason: messageOf(cause), hint: `${verb} at ${place}.` };
      }
      // Node tells the line of an error of syntax to nobody but its own output.
      const hint =
        cause instanceof SyntaxError && url.startsWith('file:')
          ? `It cannot be read as JavaScript; this shows the line: node ${fileWord(fileURLToPath(url))}`
          : 'It must be a JavaScript module (.js or .mjs).';
      return { reason: messageOf(cause), hint };
    }
  }
}

/** Node looks for itself whether a file is a module, unless its package.json says that all are CommonJS, as `npm init` does. */
function isMistakenForCommonJs(cause: unknown, url: string): boolean {
  const signs = /^Cannot use import statement outside a module$|^Unexpected token 'export'$/;
  return cause instanceof SyntaxError && signs.test(cause.message) && /^file:.*\.[jt]s$/.test(url);
}

/** What TypeScript has, and JavaScript that can be read has not. */
const TYPES =
  /^[ \t]*(?:export\s+)?(?:interface|type)\s+\w+|^[ \t]*import\s+(?:type\b|\{[^}]*\btype\s)|[\w)]\s*:\s*(?:string|number|boolean|unknown|void)\b|\bsatisfies\s+\w/m;

/** Whether a file that cannot be read as JavaScript has types in it. */
function isTypeScript(url: string): boolean {
  if (!/^file:.*\.[cm]?js$/.test(url)) return false;
  try {
    return TYPES.test(readFileSync(fileURLToPath(url), 'utf8'));
  } catch {
    // It went away after it was read.
    return false;
  }
}

function meantHint(url: string): string {
  const file = fileURLToPath(url);
  return missingPathHint(file, { shown: path.basename(file) });
}

/** Whether the module itself is missing, rather than one that it imports. */
function isItself(cause: unknown, url: string): boolean {
  return cause instanceof Error && 'url' in cause && cause.url === url;
}

/** Where in the module something was thrown, as line and column; null: elsewhere, or nobody knows. */
function placeIn(cause: unknown, url: string): string | null {
  const stack = cause instanceof Error ? String(cause.stack ?? '') : '';
  for (const name of url.startsWith('file:') ? [url, fileURLToPath(url)] : []) {
    const at = stack.indexOf(`${name}:`);
    const place = at === -1 ? null : /^:(\d+)(?::(\d+))?/.exec(stack.slice(at + name.length));
    if (place !== null) return `line ${place[1]}${place[2] === undefined ? '' : `, column ${place[2]}`}`;
  }
  return null;
}
