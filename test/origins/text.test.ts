import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { coded, flat } from '../../src/core/dialects/index.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import * as presets from '../../src/parts/presets/index.ts';

const silent = { report: () => undefined };

/** Errors of every shape that a tool of the origins may throw. */
const thrown: readonly (readonly [title: string, error: Error])[] = [
  ['a bare error', new Error('Human-readable error message')],
  ['later lines', new Error('first line\nsecond line\n  at somewhere')],
  ['a long text', new Error('word '.repeat(200))],
  ['a path', new Error('cannot open /srv/data/a.json')],
  ['words that sound like input', new Error('cache entry missing')],
  ['words that sound like a search', new Error('template not found in bundle')],
  ['an upstream failure', Object.assign(new Error('Bad Gateway'), { status: 502 })],
  ['a timeout of its own', Object.assign(new Error('timed out after 10s'), { name: 'TimeoutError' })],
];

describe('000: "error": str(e)', () => {
  /** The tool as it was before: it catches everything and returns a dictionary. */
  const before = (keyword: string, error: Error) => ({ success: false, error: error.message, keyword, results: [] });

  test.each(thrown)('%s gives the same bytes as before', async (_, error) => {
    const search = defineTool({
      name: 'search',
      description: 'Searches.',
      input: z.object({ keyword: z.string() }),
      effects: 'none',
      onFailure: { results: [] },
      run: (): { results: string[] } => {
        throw error;
      },
    });
    const toolbox = createToolbox([search], { ...presets.flat.toolbox, ...silent });
    const outcome = await toolbox.call('search', { keyword: 'K-ON' });
    expect(JSON.stringify(flat.encode(outcome, { strict: true }))).toBe(JSON.stringify(before('K-ON', error)));
  });
});

describe('002 pattern 1: any exception is 5004 with message=str(e)', () => {
  test.each([...thrown.slice(0, 6), ['a range', new RangeError('bad value')] as const])('%s', async (_, error) => {
    const tool = defineTool({
      name: 'my_tool',
      description: 'x',
      effects: 'none',
      run: () => {
        throw error;
      },
    });
    const toolbox = createToolbox([tool], { ...presets.coded.toolbox, ...silent });
    expect(coded.encode(await toolbox.call('my_tool', {}), { strict: true })).toMatchObject({
      code: 5004,
      message: error.message,
      data: null,
    });
  });

  test.each([4001, 4002, 4003, 4004, 4005, 4006, 5001, 5002, 5003, 5004, 5005, 5006, 5007, 5008, 5010])(
    'an exception that carries %i keeps it',
    async (code) => {
      const tool = defineTool({
        name: 'my_tool',
        description: 'x',
        effects: 'none',
        run: () => {
          throw Object.assign(new Error('no'), { code });
        },
      });
      const toolbox = createToolbox([tool], { ...presets.coded.toolbox, ...silent });
      expect(coded.encode(await toolbox.call('my_tool', {}), { strict: true })).toMatchObject({ code, message: 'no' });
    },
  );
});
