import { ToolpactError } from '../outcome/index.ts';

/** Says that a database was written by another version of toolpact, and what to do about it. Nothing in it was changed. */
export function otherSchema(seen: number, known: number): ToolpactError {
  const versions = `its schema is ${seen}, this version of toolpact needs ${known}`;
  // Without a full stop: it may stand at the end of the sentence that refuses a call.
  return new ToolpactError(
    'invalid_option',
    seen > known
      ? `This database was written by a newer version of toolpact: ${versions}. Update toolpact. Nothing in the database was changed`
      : `This database was written by an older version of toolpact: ${versions}, and calls cannot be carried over. ` +
          'Give the store a new file or schema, or move the old one away. Nothing in the database was changed',
    { seen, known },
  );
}
