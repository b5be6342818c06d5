/** CRC-32C (Castagnoli) of some bytes, as RFC 3720 defines it; finds every error of up to 32 bits in a row. */
export function crc32c(bytes: Uint8Array): number {
  table ??= newTable();
  let rest = -1;
  for (let i = 0; i < bytes.length; i++) {
    rest = (table[(rest ^ (bytes[i] as number)) & 0xff] as number) ^ (rest >>> 8);
  }
  return ~rest >>> 0;
}

/** The polynomial 0x1edc6f41 with its bits reversed. */
const POLYNOMIAL = 0x82f63b78;

/** What each byte adds; most runs never ask. */
let table: Int32Array | null = null;

function newTable(): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
    return rest;
  });
}
