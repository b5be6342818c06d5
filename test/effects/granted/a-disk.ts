import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { EffectCall } from '../../../src/effects/effect.ts';
import type { WorldFile } from '../../../src/types/scenarios/world.ts';

/** A folder of its own for one test, gone afterwards. */
export function aDiskFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'passk-granted-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Puts files into a folder as `[world.files]` declares them. */
export function layOut(folder: string, files: Readonly<Record<string, WorldFile>>): void {
  for (const [name, file] of Object.entries(files)) {
    const at = path.join(folder, name);
    mkdirSync(path.dirname(at), { recursive: true });
    if (file.kind === 'dir') mkdirSync(at, { recursive: true });
    if (file.kind === 'file') writeFileSync(at, file.content);
    if (file.kind === 'link') symlinkSync(file.target, at);
  }
}

/** A call of a subject without a policy. */
export function aCall(given: Partial<EffectCall> = {}): EffectCall {
  return { scenario: 'shop', trial: 0, signal: new AbortController().signal, recheck: () => null, ...given };
}

export const NOTHING = { net: false, run: false, env: false, read: false, write: false } as const;
