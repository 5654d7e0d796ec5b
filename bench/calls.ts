import { createToolbox, defineTool, fail, isFailure, isOk, type Outcome } from 'toolpact';
import type { Contestant } from './contestant.ts';
import { answerText, args, description, input, invalidArgs, name, output, search, searchBroken } from './search-stations.ts';

const searchTool = defineTool({ name, description, input, output, effects: 'none', run: search });
const brokenTool = defineTool({ name: 'search_broken', description, input, output, effects: 'none', run: searchBroken });
const refusingTool = defineTool({
  name: 'search_refusing',
  description,
  input,
  output,
  effects: 'none',
  async run() {
    throw fail('not_found', 'There is no such station.');
  },
});
const tools = [searchTool, brokenTool, refusingTool] as const;
const toolbox = createToolbox(tools);
const reporting = createToolbox(tools, { report: () => {} });

const isAnswer = (value: unknown) => isOk(value as Outcome) && JSON.stringify((value as { data: unknown }).data) === answerText;
const isFailed = (kind: string) => (value: unknown) =>
  isFailure(value as Outcome) && (value as { error: { kind: string } }).error.kind === kind;

async function bareMinimum(): Promise<string> {
  return JSON.stringify(output.parse(await search(input.parse(args))));
}

async function bareFailing(): Promise<string> {
  try {
    return JSON.stringify(output.parse(await searchBroken(input.parse(args))));
  } catch (error) {
    return JSON.stringify({ error: (error as Error).message });
  }
}

async function bareInvalid(): Promise<string> {
  try {
    return JSON.stringify(output.parse(await search(input.parse(invalidArgs))));
  } catch (error) {
    return JSON.stringify({ error: (error as Error).message });
  }
}

// Every contestant is one function called by one arrow: an error pays for each frame above it, so all start from the same height.

export const successes: readonly Contestant[] = [
  { name: 'bare minimum', call: () => bareMinimum(), isRight: (value) => value === answerText },
  { name: 'tool.call', base: 'bare minimum', call: () => searchTool.call(args), isRight: isAnswer },
  { name: 'toolbox.call', base: 'bare minimum', call: () => toolbox.call(name, args), isRight: isAnswer },
  {
    // Shows how much of the bare minimum is the writing of JSON, which neither tool.call nor most peers do.
    name: 'bare minimum without JSON.stringify',
    base: 'bare minimum',
    call: async () => output.parse(await search(input.parse(args))),
    isRight: (value) => JSON.stringify(value) === answerText,
  },
  {
    // The bare minimum ends in a text; the outcome as a text holds the arguments and meta besides the data.
    name: 'tool.call, then JSON.stringify of the whole outcome',
    base: 'bare minimum',
    call: async () => JSON.stringify(await searchTool.call(args)),
    isRight: (value) => String(value).includes(answerText),
  },
];

export const failures: readonly Contestant[] = [
  { name: 'bare minimum with try/catch', call: () => bareFailing(), isRight: (value) => String(value).startsWith('{"error":"The index') },
  {
    name: 'tool.call, handler throws an Error',
    base: 'bare minimum with try/catch',
    call: () => brokenTool.call(args),
    isRight: isFailed('internal'),
  },
  {
    name: 'toolbox.call, handler throws an Error',
    base: 'bare minimum with try/catch',
    call: () => toolbox.call('search_broken', args),
    isRight: isFailed('internal'),
  },
  {
    name: 'toolbox.call with a report sink, the same',
    base: 'bare minimum with try/catch',
    call: () => reporting.call('search_broken', args),
    isRight: isFailed('internal'),
  },
  {
    name: 'tool.call, handler throws fail(…)',
    base: 'bare minimum with try/catch',
    call: () => refusingTool.call(args),
    isRight: isFailed('not_found'),
  },
  { name: 'bare minimum, invalid arguments', call: () => bareInvalid(), isRight: (value) => String(value).startsWith('{"error":') },
  {
    name: 'tool.call, invalid arguments',
    base: 'bare minimum, invalid arguments',
    call: () => searchTool.call(invalidArgs as never),
    isRight: isFailed('invalid_input'),
  },
];
