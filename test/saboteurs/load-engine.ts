import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import type { buildProgram } from '../../src/trial/build-program.ts';
import type { EngineModule } from './sighting.ts';

type Exports = Record<string, unknown>;
type Run = (
  module: { exports: Exports },
  exports: Exports,
  require: (name: string) => unknown,
  moduleUrl: string,
) => void;

export interface Engine {
  readonly buildProgram: typeof buildProgram;
}

/**
 * Makes engines of these modules, each of its own state, with one of them replaced. What V8 has compiled of the others
 * is used again: a bundle for each engine would take four times as long.
 */
export function engineLoader(modules: readonly EngineModule[], root: string): (changed: EngineModule | null) => Engine {
  const requirePackage = createRequire(path.join(root, 'package.json'));
  const compiled = new Map(modules.map((module) => [module.file, compile(module)]));
  const entry = modules[0]?.file ?? '';
  return (changed) => {
    if (changed !== null && !compiled.has(changed.file)) throw new Error(`${changed.file} is no part of the engine.`);
    const loaded = new Map<string, { exports: Exports }>();
    const load = (file: string): Exports => {
      const before = loaded.get(file);
      if (before !== undefined) return before.exports;
      const run = file === changed?.file ? compile(changed) : compiled.get(file);
      if (run === undefined) throw new Error(`${file} is not there.`);
      const module = { exports: {} };
      loaded.set(file, module);
      const requireFrom = (name: string): unknown =>
        name.startsWith('.') ? load(path.posix.join(path.posix.dirname(file), name)) : requirePackage(name);
      run(module, module.exports, requireFrom, pathToFileURL(path.join(root, file)).href);
      return module.exports;
    };
    return load(entry) as unknown as Engine;
  };
}

function compile({ file, code }: EngineModule): Run {
  return compileFunction(code, ['module', 'exports', 'require', 'moduleUrl'], { filename: file }) as Run;
}
