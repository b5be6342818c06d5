import type { ShardId } from '../public/types.ts';

/** The part of a run that `--shard` asks for, and the variables that said so when it was `auto`. */
export interface ShardChoice {
  readonly shard: ShardId;
  readonly from: string | null;
}

interface System {
  readonly index: string;
  /** The first of these that is set. */
  readonly count: readonly string[];
  /** What the system calls its first part. */
  readonly first: 0 | 1;
}

/** Indexed jobs and CI systems, in the order in which they are looked for. */
const SYSTEMS: readonly System[] = [
  // Kubernetes sets only the index; the author of the job sets the count.
  { index: 'JOB_COMPLETION_INDEX', count: ['JOB_COMPLETIONS', 'JOB_COUNT'], first: 0 },
  { index: 'AWS_BATCH_JOB_ARRAY_INDEX', count: ['AWS_BATCH_JOB_ARRAY_SIZE'], first: 0 },
  { index: 'CI_NODE_INDEX', count: ['CI_NODE_TOTAL'], first: 1 },
  { index: 'CIRCLE_NODE_INDEX', count: ['CIRCLE_NODE_TOTAL'], first: 0 },
  { index: 'BUILDKITE_PARALLEL_JOB', count: ['BUILDKITE_PARALLEL_JOB_COUNT'], first: 0 },
];

/** Reads `i/n` or `auto`. Rejects with `USAGE` when it names no part, or when the environment does not say which one. */
export async function parseShard(text: string, env: NodeJS.ProcessEnv): Promise<ShardChoice> {
  const { PasskError } = await import('../public/suites.ts');
  if (text !== 'auto') {
    const parts = /^(\d+)\/(\d+)$/.exec(text);
    const shard = shardOf(Number(parts?.[1]), Number(parts?.[2]));
    if (shard !== null) return { shard, from: null };
    throw new PasskError('USAGE', `--shard ${text} names no part of a run.`, {
      hint: 'Write --shard 1/3 for the first of three parts, or --shard auto in a CI matrix or indexed job.',
    });
  }
  const system = SYSTEMS.find(({ index }) => isSet(env[index]));
  if (system === undefined) {
    throw new PasskError('USAGE', '--shard auto found none of the variables that number the parts of a job.', {
      hint: `It looks for ${SYSTEMS.map(({ index }) => index).join(', ')}. Write --shard i/n.`,
    });
  }
  const counts = system.count.filter((name) => isSet(env[name]));
  const [count] = counts;
  if (count === undefined) {
    throw new PasskError('USAGE', `--shard auto found ${system.index}, but not how many parts there are.`, {
      hint: `Set ${system.count.join(' or ')}, or write --shard i/n.`,
    });
  }
  if (new Set(counts.map((name) => env[name])).size > 1) {
    throw new PasskError('USAGE', `--shard auto: ${counts.join(' and ')} differ.`, {
      hint: 'Leave one of them, or write --shard i/n.',
    });
  }
  const shard = shardOf(wholeOf(env[system.index]) + 1 - system.first, wholeOf(env[count]));
  if (shard !== null) return { shard, from: `${system.index} and ${count}` };
  throw new PasskError(
    'USAGE',
    `--shard auto: ${system.index}=${env[system.index]} and ${count}=${env[count]} name no part of a run.`,
    { hint: `${system.index} counts from ${system.first}. Write --shard i/n.` },
  );
}

function shardOf(index: number, count: number): ShardId | null {
  return Number.isSafeInteger(index) && Number.isSafeInteger(count) && index >= 1 && index <= count
    ? { index, count }
    : null;
}

function wholeOf(text: string | undefined): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
