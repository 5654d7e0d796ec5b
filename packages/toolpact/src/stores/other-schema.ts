/** Says that a database was written by another version of toolpact, and what to do about it. Nothing in it was changed. */
export function otherSchema(seen: number, known: number): Error {
  const versions = `its schema is ${seen}, this version of toolpact needs ${known}`;
  return new Error(
    seen > known
      ? `This database was written by a newer version of toolpact: ${versions}. Update toolpact. Nothing in the database was changed.`
      : `This database was written by an older version of toolpact: ${versions}, and calls cannot be carried over. ` +
          'Give the store a new file or schema, or move the old one away. Nothing in the database was changed.',
  );
}
