import { workerData } from 'node:worker_threads';
import { type ReadAheadTask, readFiles } from '../src/source/read-ahead.ts';

// A thread that reads the files of a large suite before they are wanted.
readFiles(workerData as ReadAheadTask);
