import { expect, test } from 'vitest';
import { convertToJson } from './convert-to-json.ts';

test.each([0, 1, 2, 3, 12_287, 12_288, 12_289, 30_000])('%i bytes become their base64', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => index * 7);
  expect(convertToJson({ bytes }, [])).toEqual({ value: { bytes: Buffer.from(bytes).toString('base64') } });
  expect(convertToJson(new DataView(bytes.buffer, Math.min(1, length)), [])).toEqual({
    value: Buffer.from(bytes.subarray(1)).toString('base64'),
  });
});
