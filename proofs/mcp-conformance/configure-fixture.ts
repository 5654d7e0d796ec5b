import { setTimeout as pause } from 'node:timers/promises';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createRequestStateCodec,
  type InputRequiredSpec,
  inputRequired,
  inputResponse,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { McpServing, McpSettings } from '@toolpact/server';
import { z } from 'zod';
import { type createFixtureToolbox, png } from './fixture-toolbox.ts';

/** Additions for the conformance suite that belong to MCP alone, made the way an application would. */

const state = createRequestStateCodec<{ readonly step: number }>({ key: 'a key for the fixture, 32 bytes long' });
const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const message = (words: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: words } });

/** The options of `createServer` that make the fixture. */
export const fixtureSettings = (toolbox: ReturnType<typeof createFixtureToolbox>): McpSettings => ({
  name: 'toolpact-fixture',
  version: '1.0.0',
  server: { capabilities: { logging: {} }, requestState: { verify: (sent, context) => state.verify(sent, context) } },
  configure(server, serving) {
    addTalkingTools(server, serving);
    addAskingTools(server);
    addPrompts(server);
    addResources(server);
    addTaskTool(server, serving, toolbox);
  },
  requireTasks: ['failing_job'],
});

type ElicitParams = Parameters<ServerContext['mcpReq']['elicitInput']>[0];

function addTalkingTools(server: McpServer, { notify }: McpServing): void {
  const log = async (context: ServerContext) => {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await context.mcpReq.log('info', words);
      await pause(20);
    }
    return text('Logged.');
  };
  server.registerTool('test_tool_with_logging', { description: 'Writes to the log.' }, log);
  server.registerTool('test_logging_tool', { description: 'Writes to the log.' }, log);
  server.registerTool('test_trigger_tool_change', { description: 'Says that the tools changed.' }, () => {
    notify.toolsChanged();
    return text('Told.');
  });
  server.registerTool('test_trigger_prompt_change', { description: 'Says that the prompts changed.' }, () => {
    notify.promptsChanged();
    return text('Told.');
  });
  server.registerTool(
    'test_sampling',
    { description: 'Asks the client for a completion.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, context) => {
      const { content } = await context.mcpReq.requestSampling({ messages: [message(prompt)], maxTokens: 100 });
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const elicit = async (context: ServerContext, params: ElicitParams) => {
    const { action, content } = await context.mcpReq.elicitInput(params);
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
  };
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user.', inputSchema: z.object({ message: z.string() }) },
    (args, context) =>
      elicit(context, {
        message: args.message,
        requestedSchema: {
          type: 'object',
          properties: {
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: "User's email address" },
          },
          required: ['username', 'email'],
        },
      }),
  );
  server.registerTool('test_elicitation_sep1034_defaults', { description: 'Asks the user, with defaults.' }, (context) =>
    elicit(context, {
      message: 'Please review',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
      },
    }),
  );
  const titled = ['First', 'Second', 'Third'].map((word, index) => ({ const: `value${index + 1}`, title: `${word} Option` }));
  const options = ['option1', 'option2', 'option3'];
  server.registerTool('test_elicitation_sep1330_enums', { description: 'Asks the user to choose.' }, (context) =>
    elicit(context, {
      message: 'Please choose',
      requestedSchema: {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: options },
          titledSingle: { type: 'string', oneOf: titled },
          legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
          untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
          titledMulti: { type: 'array', items: { anyOf: titled } },
        },
      },
    }),
  );
}

const fieldForm = (words: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message: words,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  } as Parameters<typeof inputRequired.elicit>[0]);
const capital = inputRequired.createMessage({ messages: [message('What is the capital of France?')], maxTokens: 100 });

function addAskingTools(server: McpServer): void {
  const nameSchema = z.object({ name: z.string() });
  const tool = (name: string, run: (context: ServerContext) => unknown): void => {
    server.registerTool(name, { description: 'Asks back.' }, run as never);
  };
  const ask = (inputRequests: NonNullable<InputRequiredSpec['inputRequests']>, requestState?: string) =>
    inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) } as InputRequiredSpec);

  // The SDK itself refuses to ask a client for what it does not offer.
  tool('test_missing_capability', ({ mcpReq }) => (mcpReq.inputResponses === undefined ? ask({ question: capital }) : text('Fine.')));
  tool('test_streaming_elicitation', async ({ mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    if (token !== undefined) await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, progress: 1 } });
    return mcpReq.inputResponses === undefined ? ask({ user_name: fieldForm('What is your name?', 'name') }) : text('Done.');
  });
  tool('test_input_required_result_elicitation', ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'user_name', nameSchema);
    return answer === undefined ? ask({ user_name: fieldForm('What is your name?', 'name') }) : text(`Hello, ${answer.name}!`);
  });
  tool('test_input_required_result_sampling', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    return answer.kind === 'missing' ? ask({ capital_question: capital }) : text(`Answer: ${JSON.stringify(answer)}`);
  });
  tool('test_input_required_result_list_roots', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    return answer.kind === 'missing' ? ask({ client_roots: inputRequired.listRoots() }) : text(`Roots: ${JSON.stringify(answer)}`);
  });
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    tool(name, async ({ mcpReq }) => {
      if (mcpReq.requestState() === undefined || mcpReq.inputResponses === undefined) {
        return ask({ confirm: fieldForm('Please confirm', 'ok', 'boolean') }, await state.mint({ step: 1 }));
      }
      return text('state-ok');
    });
  }
  tool('test_input_required_result_multiple_inputs', async ({ mcpReq }) => {
    const keys = ['user_name', 'greeting', 'client_roots'];
    if (keys.every((key) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing')) return text('All there.');
    const inputRequests = {
      user_name: fieldForm('What is your name?', 'name'),
      greeting: inputRequired.createMessage({ messages: [message('Generate a greeting')], maxTokens: 50 }),
      client_roots: inputRequired.listRoots(),
    };
    return ask(inputRequests, await state.mint({ step: 1 }));
  });
  tool('test_input_required_result_multi_round', async ({ mcpReq }) => {
    const step = mcpReq.requestState<{ step: number }>()?.step ?? 0;
    if (step === 0) return ask({ step1: fieldForm('Step 1: What is your name?', 'name') }, await state.mint({ step: 1 }));
    if (step === 1) return ask({ step2: fieldForm('Step 2: What is your favorite color?', 'color') }, await state.mint({ step: 2 }));
    return text('Done.');
  });
  tool('test_input_required_result_capabilities', ({ mcpReq }) => {
    if (mcpReq.inputResponses !== undefined) return text('Done.');
    const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const { sampling, elicitation } = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<string, unknown>;
    return ask({
      ...(sampling !== undefined && { question: capital }),
      ...(elicitation !== undefined && { user_name: fieldForm('What is your name?', 'name') }),
    });
  });
}

/** A tool that first asks the user, and then goes on as a task. */
function addTaskTool(
  server: McpServer,
  { toTask, tenantId = 'default' }: McpServing,
  toolbox: ReturnType<typeof createFixtureToolbox>,
): void {
  server.registerTool('test_tool_with_task', { description: 'Asks for a name, then greets as a task.' }, (async (
    context: ServerContext,
  ) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
    if (answer === undefined) return inputRequired({ inputRequests: { user_name: fieldForm('What is your name?', 'name') } });
    const outcome = await toolbox.call('greet_slowly', answer, { tenantId });
    return (outcome.status === 'pending' && (await toTask(outcome, context))) || text('No task.');
  }) as never);
}

function addPrompts(server: McpServer): void {
  const word = z.string();
  server.registerPrompt('test_simple_prompt', { description: 'A simple prompt.' }, () => ({
    messages: [message('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with arguments.',
      argsSchema: z.object({
        arg1: completable(word, (start) => ['paris', 'park', 'party'].filter((one) => one.startsWith(start))),
        arg2: word,
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [message(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A prompt with a resource.', argsSchema: z.object({ resourceUri: word }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        message('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with an image.' }, () => ({
    messages: [{ role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } }, message('Please analyze the image above.')],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'A prompt that asks back.' }, ({ mcpReq }: ServerContext) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'user_context', z.object({ context: word }));
    const question = fieldForm('What context should the prompt use?', 'context');
    if (answer === undefined) return inputRequired({ inputRequests: { user_context: question } });
    return { messages: [message(`Use ${answer.context}.`)] };
  });
}

function addResources(server: McpServer): void {
  const plain = { description: 'A text.', mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', plain, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { description: 'An image.', mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: png }],
  }));
  server.registerResource('watched-resource', 'test://watched-resource', plain, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'Watched.' }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id.', mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [
        { uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }) },
      ],
    }),
  );
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}
