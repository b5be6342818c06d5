/** Flags of Node that take a value and decide how modules are found or loaded. */
const WITH_VALUE = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '--conditions', '-C']);
/** Flags without a value that a worker understands and the user will miss. */
const ALONE = new Set([
  '--enable-source-maps',
  '--preserve-symlinks',
  '--no-warnings',
  '--no-deprecation',
  '--trace-warnings',
  '--trace-uncaught',
]);

/**
 * The flags of this process that workers start with too: those that code of the user may need to load. All others stay
 * behind, for a worker refuses flags of V8 and would take those about the program text for its own.
 */
export function workerFlags(execArgv: readonly string[]): string[] {
  const flags: string[] = [];
  for (let i = 0; i < execArgv.length; i++) {
    const flag = execArgv[i] ?? '';
    const [name = ''] = flag.split('=');
    if (ALONE.has(flag) || (name !== flag && WITH_VALUE.has(name))) flags.push(flag);
    else if (WITH_VALUE.has(flag) && i + 1 < execArgv.length) flags.push(flag, execArgv[++i] ?? '');
  }
  return flags;
}
