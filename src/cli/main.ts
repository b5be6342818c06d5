#!/usr/bin/env node
import process from 'node:process';
import { runCommandLine } from './run-command-line.ts';

// Node would end with 1, which here says that the gate has failed.
process.on('uncaughtException', (error) => {
  process.stderr.write(`passk: internal error, please report it.\n${error.stack ?? String(error)}\n`);
  process.exit(2);
});

process.exitCode = await runCommandLine(process.argv.slice(2));
