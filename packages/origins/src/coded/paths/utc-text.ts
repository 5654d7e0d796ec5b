/** Writes a time as the origin does: UTC with microseconds and without a zone, such as `2026-11-16T04:30:23.125000`. */
export function utcText(time: string | number): string {
  return new Date(time).toISOString().replace('Z', '000');
}
