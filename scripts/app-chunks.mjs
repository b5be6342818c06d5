// Makes classic scripts of the ES modules that a bundle consists of, for workers/load-chunk.ts: V8 keeps what it has
// compiled of scripts, and nothing of modules. Imports become constants, as direct as they were.
import { createRequire, isBuiltin } from 'node:module';
import { init, parse } from 'es-module-lexer';
import { CHUNKS, pairsOf } from './join-chunks.mjs';

/** Parameters of every script; `Body` in workers/load-chunk.ts. */
const PARAMETERS = `${CHUNKS},require,__import,__url,__resolve`;

/**
 * The text of one script that evaluates to a function that does what a joined module does. `name` is for errors; `idOf`
 * tells by what id a chunk is asked for. Throws where the text is not what the bundler writes.
 */
export async function asScript(name, text, idOf) {
  await init;
  const [imports, exports] = parse(text, name);
  if (exports.length > 0) throw new Error(`${name} exports something`);
  let code = '';
  let end = 0;
  for (const found of imports) {
    const [from, to, replacement] = replaced(text, found, { name, idOf });
    code += text.slice(end, from) + replacement;
    end = to;
  }
  // V8 compiles a function in brackets at once: it is called in any case.
  return `(function(${PARAMETERS}){"use strict";${asAscii(code + text.slice(end))}\n})`;
}

/** One byte a character is read fastest. The bundler leaves other characters in regular expressions only. */
function asAscii(code) {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Where something is replaced, and with what: a static import, the word of an `import()`, `import.meta`. */
function replaced(text, { ss, se, s, e, d, n }, chunk) {
  if (d === -2) return replacedMeta(text, s, e, chunk.name);
  if (d === -1) return [ss, se, asConstants(text.slice(ss, se), chunk)];
  if (isChunk(n) && text.startsWith(DEFER, ss - DEFER.length)) {
    return [ss - DEFER.length, se + 1, `require(${JSON.stringify(chunk.idOf(n.slice(2)))})`];
  }
  if (isChunk(n)) return [ss, se, `__import(${JSON.stringify(chunk.idOf(n.slice(2)))})`];
  return [ss, d, '__import'];
}

function replacedMeta(text, start, end, name) {
  for (const [word, parameter] of [
    ['.url', '__url()'],
    ['.resolve', '__resolve'],
  ]) {
    if (text.startsWith(word, end)) return [start, end + word.length, parameter];
  }
  throw new Error(`${name} uses import.meta in a way that a script cannot`);
}

const IMPORT = /^import\s*(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)\s*)?(?:\{([^}]*)\}\s*)?(?:from\s*)?"([^"]+)"$/;

/** What `scripts/cold-modules.mjs` writes around an `import()` that is to happen at once. */
const DEFER = '__defer(';

function isChunk(id) {
  return id?.startsWith('./app-') === true;
}

function asConstants(statement, { name, idOf }) {
  const [matched, fallback, space, names, from] = IMPORT.exec(statement) ?? [];
  if (matched === undefined) throw new Error(`${name} has an import that is not understood: ${statement}`);
  if (!isChunk(from) && !isBuiltin(from)) throw new Error(`${name} imports ${from} statically`);
  const required = `require(${JSON.stringify(isChunk(from) ? idOf(from.slice(2)) : from)})`;
  if (fallback === undefined && space === undefined && names === undefined) return required;
  if (/\bdefault\b/.test(names ?? '')) throw new Error(`${name} imports a default by name: ${statement}`);
  if (DEFERRED.has(from)) return deferred(statement, name, { from, names });
  // What Node's own modules export as default is all that they export.
  const whole = [fallback, space].filter((word) => word !== undefined);
  if (whole.length > 0 && isChunk(from)) throw new Error(`${name} imports all of ${from}`);
  const picked = names === undefined ? [] : [`{${names.replaceAll(/\s+as\s+/g, ':')}}`];
  return [...whole, ...picked].map((pattern) => `const ${pattern}=${required}`).join(';');
}

/** Modules of Node that take long to load, and that many runs never call: loaded by the first call of a function. */
const DEFERRED = new Set(
  ['child_process', 'crypto', 'dns', 'fs/promises', 'readline', 'stream/promises', 'timers/promises', 'zlib'].map(
    (name) => `node:${name}`,
  ),
);

const requireNode = createRequire(import.meta.url);

function deferred(statement, name, { from, names }) {
  const exported = requireNode(from);
  const functions = pairsOf(names ?? '').map(([word, local]) => {
    if (typeof exported[word] !== 'function' || !/^[a-z]/.test(word)) {
      throw new Error(`${name} imports more than functions of ${from}: ${statement}`);
    }
    return `const ${local}=(...all)=>require("${from}").${word}(...all)`;
  });
  if (functions.length === 0) throw new Error(`${name} imports all of ${from}: ${statement}`);
  return functions.join(';');
}
