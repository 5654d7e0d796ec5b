/** Writes milliseconds the way people say them: `0.4 ms`, `12 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function toDuration(ms: number): string {
  if (ms < 10) return `${trim(ms, ms < 1 ? 2 : 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${trim(seconds, seconds < 10 ? 1 : 0)} s`;
  const [big, small, bigName, smallName] =
    seconds < 3600 ? [60, 1, 'min', 's'] : seconds < 86_400 ? [3600, 60, 'h', 'min'] : [86_400, 3600, 'd', 'h'];
  const rest = Math.floor((seconds % Number(big)) / Number(small));
  return `${Math.floor(seconds / Number(big))} ${bigName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** Says how long ago a time was, coarsely: `now`, `12 s`, `3 min`, `2 h`, `5 d`. */
export function toAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 2) return 'now';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

function trim(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
