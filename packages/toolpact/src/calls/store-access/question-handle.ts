/** Handles of questions begin with that of their call, which nothing but this code makes. */
const form = /^(call_[\da-f-]{36})\?/;

/** Makes the handle of a question that a call asks in the middle of its tool. */
export function questionHandle(call: string, question: string): string {
  return `${call}?${question}`;
}

/** Gives the handle of the call, from its own or from that of one of its questions. Anything but a text gives an empty handle, which names no call. */
export function callHandle(handle: string): string {
  if (typeof handle !== 'string') return '';
  return form.exec(handle)?.[1] ?? handle;
}
