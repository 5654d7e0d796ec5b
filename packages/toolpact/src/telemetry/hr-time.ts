/** Seconds and nanoseconds since the epoch, the form in which OpenTelemetry loses nothing. */
export type HrTime = [seconds: number, nanoseconds: number];

/** Converts epoch milliseconds. */
export function toHrTime(epochMs: number): HrTime {
  const seconds = Math.floor(epochMs / 1000);
  return normalized(seconds, Math.round((epochMs - seconds * 1000) * 1e6));
}

/** Adds milliseconds to a time. */
export function addMs([seconds, nanoseconds]: HrTime, ms: number): HrTime {
  return normalized(seconds, nanoseconds + Math.round(Math.max(0, ms) * 1e6));
}

/** Returns the seconds between two times: the very duration that a span with these ends has. */
export function secondsBetween(start: HrTime, end: HrTime): number {
  return end[0] - start[0] + (end[1] - start[1]) / 1e9;
}

function normalized(seconds: number, nanoseconds: number): HrTime {
  const carried = Math.floor(nanoseconds / 1e9);
  return [seconds + carried, nanoseconds - carried * 1e9];
}
