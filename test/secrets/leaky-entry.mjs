// Models that tell the key they were given, in every spelling, wherever they can. Asked by the runner in-process.
const key = process.env.CANARY_KEY ?? '';
const spellings = [
  key,
  JSON.stringify(key),
  encodeURIComponent(key),
  Buffer.from(key).toString('base64'),
  Buffer.from(`x:${key}`).toString('base64url'),
].join(' ');
process.stderr.write(`started with ${spellings}\n`);
process.stdout.write(`${'.'.repeat(190)}${spellings}\n`);

export async function generate({ model, stream, onChunk }) {
  process.stderr.write(`asked ${model} with ${spellings}\n`);
  if (model === 'leaky/refuse')
    throw Object.assign(new Error(`${'.'.repeat(3900)} bad key ${spellings}`), { code: 16 });
  if (model === 'leaky/busy') throw Object.assign(new Error(`come back with ${spellings}`), { code: 8 });
  if (model === 'leaky/dies') {
    process.stderr.write(`dies of ${spellings}\n`);
    process.exit(3);
  }
  const content = [{ text: spellings }, { toolRequest: { name: 'tell', input: { key: spellings } } }];
  if (stream) onChunk({ content });
  return { message: { role: 'model', content }, finishReason: 'stop' };
}
