/** Says that a database holds what only a later version understands. */
export function newerSchema(seen: number, known: number): Error {
  return new Error(
    `This database was written by a newer version of toolpact: its schema is ${seen}, this version knows ${known}. Update toolpact.`,
  );
}
