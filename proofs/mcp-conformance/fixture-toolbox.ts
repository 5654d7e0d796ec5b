import { setTimeout as pause } from 'node:timers/promises';
import { fromJsonSchema } from '@toolpact/openapi';
import { createToolbox, defineTool, fail, ok, pending } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { z } from 'zod';

/** The tools that the conformance suite calls by name, as far as any toolbox can have them. */

/** One red pixel, and silence. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const image = { type: 'image', data: png, mimeType: 'image/png' } as const;

const simpleText = defineTool({
  name: 'test_simple_text',
  description: 'Gives a text.',
  effects: 'none',
  run: () => 'This is a simple text response for testing.',
});
const imageContent = defineTool({
  name: 'test_image_content',
  description: 'Gives an image.',
  effects: 'none',
  run: () => ok('An image.', { content: [image] }),
});
const audioContent = defineTool({
  name: 'test_audio_content',
  description: 'Gives a sound.',
  effects: 'none',
  run: () => ok('A sound.', { content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
});
const embeddedResource = defineTool({
  name: 'test_embedded_resource',
  description: 'Gives a resource.',
  effects: 'none',
  run: () =>
    ok('A resource.', {
      content: [
        { type: 'resource', uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
      ],
    }),
});
const multipleContentTypes = defineTool({
  name: 'test_multiple_content_types',
  description: 'Gives a text, an image and a resource.',
  effects: 'none',
  run: () =>
    ok('Multiple content types test:', {
      content: [
        image,
        { type: 'resource', uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' },
      ],
    }),
});
const errorHandling = defineTool({
  name: 'test_error_handling',
  description: 'Fails.',
  effects: 'none',
  run: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
});
const progress = defineTool({
  name: 'test_tool_with_progress',
  description: 'Tells how far it has come.',
  effects: 'none',
  run: async (_, context) => {
    for (const done of [0, 50, 100]) {
      context.progress({ done, total: 100, message: `Completed step ${done} of 100` });
      await pause(20);
    }
    return 'Done.';
  },
});
const withHeader = defineTool({
  name: 'test_tool_with_header',
  description: 'Takes an argument that clients repeat as a header.',
  input: z.object({
    region: z.string().meta({ 'x-mcp-header': 'Region' }).optional(),
    query: z.string().optional(),
  }),
  effects: 'none',
  run: ({ region }) => `Region: ${region ?? 'none'}`,
});
const jsonSchema = defineTool({
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  input: fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
  effects: 'none',
  run: () => 'Fine.',
});

const greet = defineTool({
  name: 'greet',
  description: 'Greets.',
  input: z.object({ name: z.string() }),
  effects: 'none',
  run: ({ name }) => `Hello, ${name}!`,
});
const slowCompute = defineTool({
  name: 'slow_compute',
  description: 'Takes its time.',
  input: z.object({ seconds: z.number(), label: z.string().optional() }),
  effects: 'none',
  timeoutMs: 120_000,
  deferAfterMs: 20,
  run: async ({ seconds, label = 'work' }, { signal }) => {
    await pause(seconds * 1000, undefined, { signal });
    return `Computed ${label}.`;
  },
});
const failingJob = defineTool({
  name: 'failing_job',
  description: 'Fails after a second.',
  effects: 'none',
  deferAfterMs: 20,
  run: async () => {
    await pause(1000);
    throw new Error('This job fails on purpose');
  },
});
const protocolErrorJob = defineTool({
  name: 'protocol_error_job',
  description: 'Is lost after a moment.',
  effects: 'none',
  deferAfterMs: 20,
  run: async () => {
    await pause(100);
    throw fail('interrupted', 'The worker that ran this job is gone.');
  },
});
const confirmDelete = defineTool({
  name: 'confirm_delete',
  description: 'Deletes a file once the user has confirmed it.',
  input: z.object({ filename: z.string() }),
  effects: 'none',
  run: ({ filename }) =>
    pending({
      handle: `delete_${crypto.randomUUID()}`,
      reason: 'input',
      ask: {
        message: `Delete ${filename}?`,
        schema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
      },
    }),
});
const multiInput = defineTool({
  name: 'multi_input',
  description: 'Asks for two inputs at once.',
  steps: true,
  run: async (_, { waitFor }) => {
    const named = z.object({ name: z.string() });
    const confirmed = z.object({ confirm: z.boolean() });
    const [{ name }, { confirm }] = await Promise.all([
      waitFor('name', named, { message: 'Who are you?' }),
      waitFor('confirm', confirmed, { message: 'Are you sure?' }),
    ]);
    return `${name}: ${confirm}`;
  },
});
const greetSlowly = defineTool({
  name: 'greet_slowly',
  description: 'Greets after a moment.',
  input: z.object({ name: z.string() }),
  effects: 'none',
  deferAfterMs: 20,
  run: async ({ name }) => {
    await pause(200);
    return `Hello, ${name}!`;
  },
});

/** Creates the toolbox. */
export function createFixtureToolbox() {
  const tools = [
    simpleText,
    imageContent,
    audioContent,
    embeddedResource,
    multipleContentTypes,
    errorHandling,
    progress,
    withHeader,
    jsonSchema,
    greet,
    slowCompute,
    failingJob,
    protocolErrorJob,
    confirmDelete,
    multiInput,
    greetSlowly,
  ] as const;
  return createToolbox(tools, { store: memoryStore(), report: () => undefined });
}
