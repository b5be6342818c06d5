/** A rate in [0, 1] with two decimals, or more where two would read as 0 or 1 although it is neither. */
export function formatRate(rate: number): string {
  return rateText(rate, 2);
}

/** An upper bound of a rate, never below what it bounds: two decimals, or two digits of a small one. */
export function formatUpper(bound: number): string {
  const decimals = bound > 0 ? Math.min(12, Math.max(2, 1 - Math.floor(Math.log10(bound)))) : 2;
  const scale = 10 ** decimals;
  // What only computing in doubles adds is no reason to go up.
  const text = (Math.ceil(bound * scale - 1e-6) / scale).toFixed(decimals);
  return text.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** A bar with all the decimals that somebody wrote, at least two: 0.955 is not shown as 0.95. */
export function formatBar(bar: number): string {
  let decimals = 2;
  while (decimals < 12 && Number(bar.toFixed(decimals)) !== bar) decimals++;
  return bar.toFixed(decimals);
}

function rateText(rate: number, least: number): string {
  let decimals = least;
  while (decimals < 12 && rate > 0 && rate < 1 && isRound(rate.toFixed(decimals))) decimals++;
  return rate.toFixed(decimals);
}

/** `[0.31, 0.86]`, with more decimals, up to six, where two would show no width: `[0.497, 0.503]`. */
export function formatInterval([low, high]: readonly [number, number]): string {
  let decimals = 2;
  while (decimals < 6 && low !== high && rateText(low, decimals) === rateText(high, decimals)) decimals++;
  return `[${rateText(low, decimals)}, ${rateText(high, decimals)}]`;
}

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

function isRound(text: string): boolean {
  return /^[01]\.0*$/.test(text);
}
