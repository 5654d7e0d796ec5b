import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { onRestate } from './on-restate.ts';

const ping = defineTool({ name: 'ping', description: 'Answers.', input: z.object({}), run: () => 'pong' });
const use = [onRestate({ ingress: 'http://127.0.0.1:1' })];

test('a toolbox on Restate needs a store, and the error says which line to add', () => {
  expect(() => createToolbox([ping], { use })).toThrow(
    expect.objectContaining({ code: 'missing_store', message: expect.stringContaining('createToolbox(tools, { store: sqliteStore(') }),
  );
  expect(() => createToolbox([ping], { store: memoryStore(), use })).not.toThrow();
});
