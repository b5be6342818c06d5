import process from 'node:process';

/**
 * Milliseconds of processor time that this process has used. Tests that ask for "linear, not quadratic" compare
 * these: a loaded machine makes the clock run on, not the processor.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
