import process from 'node:process';
import fc from 'fast-check';

// Laws are put to new random cases in each run, which is how they find what nobody thought of. A check that decides
// whether a change may land asks for the same cases each time: what it finds is then the change's doing.
const seed = process.env['PASSK_LAW_SEED'];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
