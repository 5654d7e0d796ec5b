import process from 'node:process';
import { createSeichiTools } from './tools/index.ts';

// The file that the command line loads: `toolpact dev examples/seichi/tools.ts`. The tools ask the real services.

const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model = 'gpt-5-mini' } = process.env;

export const tools = createSeichiTools({
  userAgent: 'toolpact/seichi-example',
  ...((apiKey || baseUrl) && {
    translate: { baseUrl: baseUrl || 'https://api.openai.com/v1', apiKey: apiKey || 'none', model },
  }),
});
