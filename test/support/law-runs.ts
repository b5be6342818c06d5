import process from 'node:process';

/** Random cases that a law of `test/laws` is put to; more where PASSK_LAW_RUNS asks for more. */
export const LAW_RUNS: number = Number(process.env['PASSK_LAW_RUNS'] ?? 150);
