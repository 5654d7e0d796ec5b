/** Writes bytes as base64, however many there are. */
export function toBase64(bytes: ArrayBuffer | ArrayBufferView): string {
  const { buffer = bytes as ArrayBuffer, byteOffset, byteLength } = bytes as Partial<ArrayBufferView>;
  const all = new Uint8Array(buffer, byteOffset, byteLength);
  let text = '';
  // In pieces whose length is a multiple of three, so that their texts can be joined.
  for (let at = 0; at < all.length; at += 12_288) text += btoa(String.fromCharCode(...all.subarray(at, at + 12_288)));
  return text;
}
