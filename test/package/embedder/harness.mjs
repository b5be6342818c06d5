// A larger harness that embeds passk: two runs at once, nothing printed by the library, no handle left open.
import assert from 'node:assert/strict';
import * as plugin from 'passk/plugin';
import { passHatK, wilsonInterval } from 'passk/stats';
import { runSuite } from 'passk';

assert.equal(typeof plugin, 'object');

assert.equal(passHatK(4, 3, 2), 0.5);
assert.throws(() => wilsonInterval(3, 4), RangeError);

const printed = [];
const write = process.stdout.write;
process.stdout.write = (text) => printed.push(text) > 0;

const [one, many] = await Promise.all([
  runSuite({ paths: ['scenarios'], workers: 0, seed: 7 }),
  runSuite({ paths: ['scenarios'], workers: 2, seed: 7, trials: 20_000 }),
]);

process.stdout.write = write;
assert.deepEqual(printed, []);
assert.equal(one.schema, 'passk-report/3');
assert.equal(one.gate.verdict, 'pass');
assert.equal(one.summary.trials.executed, 8);
assert.equal(many.summary.trials.passed, 20_000);
assert.equal(many.scenarios[0]?.name, 'greeting');
