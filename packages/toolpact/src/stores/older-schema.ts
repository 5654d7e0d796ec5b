/** Says that a database holds the tables of an earlier version, which are left alone. */
export function olderSchema(seen: number, known: number, advice: string): Error {
  return new Error(
    `This database was written by an earlier version of toolpact: its schema is ${seen}, this version needs ${known}. Nothing in it was changed. ${advice}`,
  );
}
