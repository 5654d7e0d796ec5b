import { expect, test } from 'vitest';
import { fail, ok, partial, pending, toModelText } from '../outcome/index.ts';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';

const secret = 'hunter2pass';
const data = { name: 'db', password: secret, note: `connect with postgres://bob:${secret}@db/app`, size: 3, list: [`token=${secret}1`] };
const hidden = {
  name: 'db',
  password: '[redacted]',
  note: 'connect with postgres://[redacted]@db/app',
  size: 3,
  list: ['token=[redacted]'],
};
const read = (redact?: { results: boolean }) =>
  defineTool({ name: 'read', description: 'x', effects: 'none', ...(redact && { redact }), run: () => data });

test('the data of a result is the own data of the tool, unless it or its toolbox says otherwise', async () => {
  const call = async (tool: ReturnType<typeof read>, results?: boolean) => {
    const toolbox = createToolbox([tool], results === undefined ? {} : { redact: { results } });
    const outcome = await toolbox.call('read', {});
    return outcome.status === 'ok' ? outcome.data : outcome;
  };
  expect(await call(read())).toBe(data);
  expect(await call(read(), true)).toEqual(hidden);
  expect(await call(read({ results: true }))).toEqual(hidden);
  expect(await call(read({ results: false }), true)).toBe(data);
  // Patterns and keys of the toolbox count too.
  const toolbox = createToolbox([read()], { redact: { results: true, keys: ['size'], patterns: [/^db$/] } });
  expect(await toolbox.call('read', {})).toMatchObject({ data: { ...hidden, name: '[redacted]', size: '[redacted]' } });
});

test('content, partial data and data that had to become JSON are redacted as well', async () => {
  const tools = [
    defineTool({ name: 'content', description: 'x', run: () => ok(1, { content: [{ type: 'text', text: `password=${secret}` }] }) }),
    defineTool({ name: 'shown', description: 'x', run: () => ({ key: secret }), toModel: () => `password=${secret}` }),
    defineTool({
      name: 'some',
      description: 'x',
      run: () => partial({ password: secret }, [{ index: 0, error: new Error('x') }], { total: 2 }),
    }),
    defineTool({ name: 'odd', description: 'x', run: () => new Map([['password', secret]]) }),
    defineTool({ name: 'later', description: 'x', run: async () => ({ password: secret }) }),
  ] as const;
  const toolbox = createToolbox(tools, { redact: { results: true } });
  for (const { name } of tools) {
    const outcome = await toolbox.answer({ name, args: {} });
    expect(outcome.status, name).not.toBe('error');
    expect(JSON.stringify(outcome) + toModelText(outcome), name).toContain('[redacted]');
    if (name !== 'shown') expect(JSON.stringify(outcome) + toModelText(outcome), name).not.toContain(secret);
  }
});

test('so is what a failure brings along, and what an outcome says of its way', async () => {
  const text = `password=${secret}`;
  const failing = (data?: object) => (): { text: string } => {
    throw fail('upstream', 'No.', data && { data: data as never });
  };
  const tools = [
    defineTool({ name: 'data', description: 'x', run: failing({ text }) }),
    defineTool({ name: 'fallback', description: 'x', run: failing(), onFailure: { text } }),
    defineTool({ name: 'routing', description: 'x', run: () => ok(1, { routing: { text } }) }),
  ] as const;
  const toolbox = createToolbox(tools, { redact: { results: true }, report: () => undefined });
  for (const { name } of tools) {
    const outcome = JSON.stringify(await toolbox.answer({ name, args: {} }));
    expect(outcome, name).toContain('password=[redacted]');
    expect(outcome, name).not.toContain(secret);
  }
});

test('the texts of a question and of its schema hold no secret, and the names of its fields stay', async () => {
  const schema = (said: string) => ({
    type: 'object',
    properties: { password: { type: 'string', description: `like ${said}`, default: said, maxLength: 8 } },
  });
  const ask = { message: `Use password=${secret}?`, schema: schema(`token=${secret}1`) };
  const tool = defineTool({ name: 'wait', description: 'x', run: () => pending({ handle: 'h1', reason: 'input', ask }) });
  expect(await createToolbox([tool]).call('wait', {})).toMatchObject({
    pending: { ask: { message: 'Use password=[redacted]?', schema: schema('token=[redacted]') } },
  });
});
