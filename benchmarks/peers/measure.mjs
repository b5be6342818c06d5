import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** The middle value. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Milliseconds that a command takes; it must end with one of the given codes. */
export function timeCommand(args, { cwd, codes = [0] }) {
  const start = performance.now();
  const env = {
    ...process.env,
    CI: 'true',
    NO_COLOR: '1',
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
    PROMPTFOO_CONFIG_DIR: cwd,
  };
  const { status, stderr, stdout } = spawnSync(process.execPath, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (!codes.includes(status))
    throw new Error(`${args.join(' ')} ended with ${status}:\n${stderr}\n${stdout.slice(-2000)}`);
  return performance.now() - start;
}

/** Things per second between two sizes, so that start-up cancels; the median of the rounds. */
export function marginalRate(rounds, few, many, timeFor) {
  const rates = Array.from({ length: rounds }, () => {
    const short = timeFor(few);
    return ((many - few) * 1000) / Math.max(1, timeFor(many) - short);
  });
  return median(rates);
}
