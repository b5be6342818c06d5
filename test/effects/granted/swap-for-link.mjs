// Swaps a thing for a link to another one, and back, as fast as it can, until it is killed.
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';

const [, , thing, elsewhere] = process.argv;
let made = 0;
process.stdout.write('swapping\n');
for (;;) {
  renameSync(thing, `${thing}.aside`);
  inPlace(() => symlinkSync(elsewhere, thing));
  unlinkSync(thing);
  inPlace(() => renameSync(`${thing}.aside`, thing));
}

// A write makes what it finds missing.
function inPlace(put) {
  for (;;) {
    try {
      return put();
    } catch (error) {
      if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
      renameSync(thing, `${thing}.made-${made++}`);
    }
  }
}
