#!/usr/bin/env node
import * as nodeModules from 'node:module';
import process from 'node:process';
import { runCommandLine } from './run-command-line.ts';

// From version 22 on, Node keeps what it has compiled for the next start; everything but this file comes afterwards.
const keepCompiled: unknown = Reflect.get(nodeModules, 'enableCompileCache');
if (typeof keepCompiled === 'function') keepCompiled();

// Node would end with 1, which here says that the gate has failed.
process.on('uncaughtException', (error) => {
  process.stderr.write(`passk: internal error, please report it.\n${error.stack ?? String(error)}\n`);
  process.exit(2);
});

process.exitCode = await runCommandLine(process.argv.slice(2));
