/** Stands where a secret was. */
export const hidden = '[redacted]';
