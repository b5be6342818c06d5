import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { crc32, deflateRawSync } from 'node:zlib';

const PYTHON = path.resolve('.passk/python-inspect/bin/python');
const EVENT = {
  event: 'state',
  timestamp: '2026-01-01T00:00:00+00:00',
  changes: [{ op: 'add', path: '/x', value: 1 }],
};

/** An archive of Inspect with so many samples, four of each task, each with messages and as many events; its bytes unpacked. */
export function writeInspectLog(file: string, samples: number, messages: readonly object[]): number {
  const parts: Uint8Array[] = [];
  const records: Uint8Array[] = [];
  let at = 0;
  let bytes = 0;
  const put = (name: string, value: object): void => {
    const content = Buffer.from(JSON.stringify(value));
    const packed = deflateRawSync(content);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(content), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    records.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), head, tail, Buffer.from(name));
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), head, Buffer.from(name), packed);
    at += 30 + name.length + packed.length;
    bytes += content.length;
  };
  const events = messages.map(() => EVENT);
  for (let sample = 0; sample < samples; sample++) {
    const [id, epoch] = [sample >> 2, (sample % 4) + 1];
    const scores = { exact: { value: (sample * 7919) % 10 < 6 ? 'C' : 'I' } };
    put(`samples/${id}_epoch_${epoch}.json`, { id, epoch, input: 'x', target: 'y', messages, scores, events });
  }
  const created = '2026-01-01T00:00:00+00:00';
  put('header.json', {
    version: 2,
    status: 'success',
    eval: { created, task: 'orders', dataset: {}, model: 'mockllm/model', config: { epochs: 4 } },
  });
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(samples + 1, 8);
  end.writeUInt16LE(samples + 1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  writeFileSync(file, Buffer.concat([...parts, directory, end]));
  return bytes;
}

/** Milliseconds in which Inspect itself reads the log, its start aside; null: it is not installed. */
export function timeInspect(file: string): number | null {
  const script = [
    'import sys, time',
    'from inspect_ai.log import read_eval_log',
    'began = time.perf_counter()',
    'assert len(read_eval_log(sys.argv[1]).samples) > 0',
    'print((time.perf_counter() - began) * 1000)',
  ].join('\n');
  return inspectPrints('-c', script, file);
}

/** The number that a program prints where Inspect is installed; null: it is not. */
export function inspectPrints(...args: readonly string[]): number | null {
  if (!existsSync(PYTHON)) return null;
  const { status, stdout } = spawnSync(PYTHON, args, {
    encoding: 'utf8',
    env: { ...process.env, INSPECT_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`Inspect ended with ${status}`);
  return Number(stdout);
}
