import { z } from 'zod';
import { createToolbox, defineTool, ok, partial, pending } from '../../src/index.ts';

/** The host's way for this tool to ask a question that stops the run until a person answers. */
export interface Asking {
  readonly ask?: (question: string) => unknown;
}

export const picture = 'iVBORw0KGgo=';

const image = { type: 'image', data: picture, mimeType: 'image/png' } as const;

/** One tool with an end of every kind, chosen by the city. */
const forecast = defineTool.withContext<Asking | undefined>()({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string(), days: z.number().default(1) }),
  effects: 'none',
  examples: [{ input: { city: 'Paris' } }],
  async run({ city, days }, { app, fail, progress, signal }) {
    switch (city) {
      case 'Oslo':
        throw Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '3' } });
      case 'Atlantis':
        return fail('denied', 'Atlantis is off limits.');
      case 'Bergen':
        return pending({ handle: 'job-7', reason: 'approval' });
      case 'Nordland':
        return partial([{ city: 'Bodø', celsius: 4 }], [{ index: 1, id: 'Narvik', error: new Error('no station') }]);
      case 'Svolvær':
        return ok({ city, celsius: 3 }, { content: [image, { type: 'resource', uri: 'https://example.com/a.pdf' }] });
      case 'Limbo':
        progress('waiting');
        return await new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      case 'Slowville':
        progress({ message: 'asking the station', done: 1, total: 2 });
        await Promise.resolve();
        return { city, celsius: 1 };
      case 'Delphi': {
        const answer = await app?.ask?.('which oracle?');
        return answer === undefined ? pending({ handle: 'ask-1', reason: 'host' }) : { city, answer };
      }
      default:
        return { city, celsius: 20 + days };
    }
  },
});

export const toolbox = createToolbox([forecast], { report: () => undefined });
