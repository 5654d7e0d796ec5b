/** Whether two words differ by one slip of the hand (a letter too many, too few, another one, or two swapped); by two in long words. */
export function isNear(a: string, b: string): boolean {
  const most = a.length >= 8 ? 2 : 1;
  if (a.length < 4 || Math.abs(a.length - b.length) > most) return false;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      let distance = Math.min(
        distanceAt(last, j) + 1,
        distanceAt(row, j - 1) + 1,
        distanceAt(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, distanceAt(beforeLast, j - 2) + 1);
      row.push(distance);
      least = Math.min(least, distance);
    }
    if (least > most) return false;
    beforeLast = last;
    last = row;
  }
  return distanceAt(last, b.length) <= most;
}

function distanceAt(row: readonly number[], at: number): number {
  return row[at] as number;
}
