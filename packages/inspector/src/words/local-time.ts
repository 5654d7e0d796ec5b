/** Writes a time the way a field for date and time wants it: in the zone of the browser. A span such as `1h` is no time. */
export function toLocalTime(given: string | undefined): string {
  const time =
    given === undefined ? Number.NaN : /^\d{10,}$/.test(given) ? Number(given) : /^\d{4}-/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(time)) return '';
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 19);
}

/** Reads what a field for date and time gives; empty where it is no time. */
export function fromLocalTime(given: string): string {
  const time = given === '' ? Number.NaN : new Date(given).getTime();
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

const clock = { timeStyle: 'medium', hourCycle: 'h23' } as const;

/** Writes a point in time with its day, on the 24-hour clock of all times of the page. */
export function fullTime(time: string | number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', ...clock });
}

/** Writes the time of day of a point in time. */
export function timeOfDay(time: string | number): string {
  return new Date(time).toLocaleTimeString(undefined, clock);
}

/** Writes a filter of time short: the time of day, with the day if it is another. */
export function shortTime(given: string, now: number): string {
  const local = toLocalTime(given);
  if (local === '') return given;
  const [day = '', time = ''] = local.split('T');
  return toLocalTime(new Date(now).toISOString()).startsWith(day) ? time : `${day} ${time}`;
}
