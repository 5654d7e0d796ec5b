import { defineAgent } from 'eve';

/** The model of the process that loads this program. */
const model = {
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('eve streams')),
  doStream: async ({ prompt }) => ({ stream: ReadableStream.from(await globalThis.clerk.stream(prompt)) }),
};

export default defineAgent({ model, modelContextWindowTokens: 100_000 });
