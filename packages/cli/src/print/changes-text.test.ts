import { expect, test } from 'vitest';
import { changesText } from './changes-text.ts';

test('words that only a model reads are written out', () => {
  const change = { tool: 'read', level: 'compatible', place: 'description', message: 'the description changed' } as const;
  const text = changesText(
    [{ ...change, before: 'Reads.', after: 'Reads.\u{e0073}\u200b\u202e\n\u001b[1A👩\u200d🔧' }],
    (_, painted) => painted,
  );
  expect(text.split('\n').slice(2)).toEqual(['      - Reads.', '      + Reads.\\u{e0073}\\u{200b}\\u{202e} \\u{1b}[1A👩\u200d🔧']);
});
