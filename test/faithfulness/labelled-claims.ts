import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface LabelledClaim {
  readonly claim: string;
  readonly supported: boolean;
  readonly why: string;
  readonly part: 'tuning' | 'held-out';
  readonly language: string;
  readonly domain: string;
  readonly text: string;
}

const FOLDER = fileURLToPath(new URL('../../corpus/faithfulness', import.meta.url));

/** The labelled claims that the package brings, each with its context. */
export function labelledClaims(): readonly LabelledClaim[] {
  const contexts = new Map(lines('contexts.jsonl').map((context) => [context['id'], context]));
  return lines('claims.jsonl').map(({ context, ...claim }) => {
    const found = contexts.get(context);
    if (found === undefined) throw new Error(`No context "${String(context)}".`);
    return { ...found, ...claim } as unknown as LabelledClaim;
  });
}

function lines(file: string): readonly Record<string, unknown>[] {
  const text = readFileSync(path.join(FOLDER, file), 'utf8').trimEnd();
  return text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
}
