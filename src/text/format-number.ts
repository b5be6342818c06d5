/** A whole number with separators: `1,585`. The same in every locale. */
export function formatCount(count: number): string {
  const digits = String(count);
  if (!/^\d+$/.test(digits)) return digits;
  let text = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3) text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return text;
}

/** A mean: whole, or with one decimal; two below 10 where one would hide the difference. */
export function formatMean(mean: number): string {
  if (Number.isInteger(mean)) return formatCount(mean);
  const text = mean < 10 ? mean.toFixed(2).replace(/0$/, '') : mean.toFixed(1);
  const [whole = '', fraction = ''] = text.split('.');
  return `${formatCount(Number(whole))}.${fraction}`;
}

/** A large number in three digits: `843`, `1.2 k`, `15 M`. */
export function formatShort(value: number): string {
  let scaled = value;
  for (const unit of ['', ' k', ' M', ' G']) {
    if (scaled < 999.5) return `${scaled < 9.95 && unit !== '' ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
    scaled /= 1000;
  }
  return `${formatCount(Math.round(scaled))} T`;
}

/** Of what happens in a second: two digits below ten, where the short form would say 0 of what is slow. */
export function formatSpeed(perSecond: number): string {
  return perSecond > 0 && perSecond < 9.95 ? perSecond.toPrecision(2) : formatShort(perSecond);
}

/** Milliseconds in words: `85 ms`, `1.23 s`, `2 min 05 s`, `1 h 02 min`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (part: number): string => String(part).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${formatCount(Math.floor(seconds / 3600))} h ${two(Math.floor((seconds % 3600) / 60))} min`;
}

/** `1 trial`, `8 trials`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
