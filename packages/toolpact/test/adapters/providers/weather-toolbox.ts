import { z } from 'zod';
import { createToolbox, defineTool, fail, ok, partial, pending } from '../../../src/index.ts';

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string(), days: z.number().int().optional() }),
  examples: [{ input: { city: 'Kyoto' } }],
  effects: 'none',
  run: ({ city, days }, { fail }) => (city === 'Atlantis' ? fail('not_found', 'There is no city named Atlantis.') : { city, days }),
});
const transfer = defineTool({
  name: 'transfer',
  description: 'Moves money.',
  input: z.object({ amount: z.number().default(1) }),
  run: ({ amount }) => `moved ${amount}`,
});
const photo = defineTool({
  name: 'photo',
  description: 'Shows a picture.',
  effects: 'none',
  run: () =>
    ok(
      { taken: true },
      {
        content: [
          { type: 'text', text: 'A cat.' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
      },
    ),
});
const order = defineTool({
  name: 'order',
  description: 'Orders goods.',
  input: z.object({ what: z.enum(['some', 'later']) }),
  effects: 'none',
  run: ({ what }) =>
    what === 'some'
      ? partial({ done: ['a'] }, [{ index: 1, error: fail('not_found', 'b is sold out.') }])
      : pending({ handle: 'h-1', reason: 'approval' }, { message: 'A person has to allow this.' }),
});

/** Tools of every kind of answer: data, failures, pictures, parts and waiting. */
export const weatherToolbox = createToolbox([forecast, transfer, photo, order], { report: () => undefined });

/** The model's texts for answers that are neither a result nor a failure. */
export const partialText =
  '[partial] 1 of 2 failed.\n{"done":["a"]}\n- item 1: not_found: b is sold out. (Check the name or id before trying again.)';
export const pendingText = '[pending: approval] A person has to allow this. (handle: h-1)';
