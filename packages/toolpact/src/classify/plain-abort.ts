/** Checks whether a text says that something was aborted, and neither why nor by whom. */
export function isPlainAbort(text: string): boolean {
  return plainAbort.test(text);
}

const plainAbort =
  /^(?:(?:this|the) )?(?:operation|request|user|signal|fetch)? ?(?:was|is|has been)? ?aborted?(?: a request| without reason)?[.!]?$/i;
