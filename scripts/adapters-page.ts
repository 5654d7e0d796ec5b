import { readFileSync } from 'node:fs';
import type { Column, Measurement } from '../proofs/battery/measurement.ts';

/** Writes docs/adapters.md from the two checked-in measurements: every framework alone, and with its adapter. */
export function adaptersPage(): string {
  const { date, faults, columns: measured } = read('results.json');
  const columns = measured.toSorted((a, b) => place(a) - place(b));
  const alone = new Map(read('baseline.json').columns.map((column) => [column.name, column]));
  const rows = columns.map((column) => ({ column, own: alone.get(column.name) }));
  return `# Adapters

<!-- Written by \`npm run docs\` from proofs/battery/baseline.json and results.json. Do not edit. -->

One line turns a toolbox into the tools of a framework or provider. Whatever a tool does, the run continues, the model learns what really happened and what to do
next, and your application gets the whole outcome.

| \`toolpact/adapters/…\` | in one line | wraps existing tools |
|---|---|---|
${usages.map(([adapter, line, back]) => `| \`${adapter}\` | \`${line}\` | ${back === '' ? '' : `\`${back}\``} |`).join('\n')}

Most adapters have a second function, named after the place where the framework takes it. Use it too: it answers calls that never reach a tool, such as unknown tool names and arguments that are not
valid JSON, which the frameworks mishandle in their own ways. If an agent needs the tools of two toolboxes, create
one from both, \`createToolbox([...a.tools, ...b.tools])\`. \`evaluate\` is a small loop for bare SDKs, \`answerToolCalls\` its one step.

Every adapter does this:

- It gives its host a JSON Schema, and checks the arguments by itself.
- It passes the call id and the abort signal on.
- A call that a model sends twice in one answer, with the same id, name and arguments, is made once. MCP has no ids of models: there each request is a call. Genkit tells ids with \`toMiddleware\` only.
- It returns a value and never throws. The only exceptions are a host's own control-flow signals (interrupts, tripwires of guardrails, a \`Command\` for a parent graph): such a call is
  \`pending\` with reason \`host\`, and no failure.
- It reports a failure to the model with the host's own flag, and in text. What the application finds as the output of a call is the outcome ([AI SDK](ai-sdk.md#what-changes)).
- \`toolbox.subscribe\` gets every outcome in full.

[Frameworks](frameworks.md) has a complete program for each, and for two hosts without an adapter of their own: the Claude Agent SDK takes \`mcp\`,
and eve a function of fifteen lines.

| option | does |
|---|---|
| \`context\` | what every call carries, or a function that makes it from what the host hands to its tools |
| \`dialect\` | the model reads the envelope of this [dialect](dialects.md), always strict, instead of the marked text, for example \`{ success, value, message }\` with \`value\` of \`@toolpact/origins/value\`; by default that of the toolbox's \`preset\`; the host's own failure flag stays right. Also for \`answerToolCalls\` and \`evaluate\` |
| \`containStrays\` | a promise that a tool forgot is printed and becomes a \`problem\` event when it is rejected, instead of ending the process. \`false\` switches it off. Rejections of the application itself end the process as before. Exceptions thrown in timers and callbacks of a tool are not contained, nor are rejections of a job that a tool hands to a pool or queue made before the call: wrap such a job with \`AsyncResource.bind(job)\` of \`node:async_hooks\` |

**A run that repeats itself.** When \`repeatBreaker()\` of \`toolpact/guards\` has seen the same failing call too often, the run ends: in the loops of \`evaluate\`, with \`toRunOptions\` (TanStack AI; AI SDK, which also ends after
\`maxSteps\`, 20), \`toMiddleware\` (LangChain, Genkit), \`toInputProcessor\` (Mastra) and \`toTools\` (ADK, Strands) by itself; in OpenAI Agents with \`new Agent({ …, toolUseBehavior: stopOnRepeat })\`; in a graph of
LangGraph with \`graph.addConditionalEdges('tools', stopOnRepeat('agent'))\`. Each run of a framework is counted by itself; in Genkit that needs \`toMiddleware\`, and with \`answerToolCalls\` a \`runId\` of your own.

**Existing tools** become tools of a toolbox: \`createToolbox(fromTools(tools))\`, with the record of the AI SDK or the list of LangChain. What they throw
is classified, wrong arguments are \`invalid_input\`, a declared approval of the AI SDK needs a toolbox with a \`store\`, and pictures and files stay what they are. The \`app\` of a call
is what a tool of the AI SDK finds as its context. Those of an MCP server come with \`fromMcp\`; \`schema: fromJsonSchema\` of \`@toolpact/openapi\`
checks their arguments and results here, and without it the server alone checks arguments. Wrap the tools of other frameworks by hand, in a \`defineTool\`
([tools of another framework](frameworks.md#tools-of-another-framework)).

| option of \`fromTools\` | does |
|---|---|
| \`effects\` | what the tools do to the outside world, all of them or by name; \`writes\` by default |
| \`timeoutMs\` | how long a call may take |
| \`returnsErrors\` | a result with an \`error\`, \`status: 'error'\` or \`success: false\` is a failure |
| \`toJsonSchema\` | LangChain with zod 3: \`toJsonSchema\` of \`@langchain/core\` |

**LangGraph** takes the adapter \`langchain\`:

\`\`\`ts
const model = chatModel.bindTools(toTools(toolbox)).pipe(mendCalls);   // calls whose arguments are no JSON reach the tools
new StateGraph(MessagesAnnotation)
  .addNode('agent', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode('tools', toToolNode(new ToolNode(toTools(toolbox)), toolbox))   // names in any spelling, unknown names, ids used twice
  .addEdge('__start__', 'agent')
  .addConditionalEdges('agent', toolsCondition)
  .addConditionalEdges('tools', stopOnRepeat('agent'), ['agent', '__end__'])
  .compile();
\`\`\`

Instead of its prebuilt agent, \`createReactAgent\`, use \`createAgent\` of LangChain with \`toMiddleware(toolbox)\`.

**We can't fix what a framework does before it calls a tool.** Two calls with one id and different arguments end a run of OpenAI
Agents (its SDK throws); arguments nested 100,000 levels deep end runs of AI SDK, OpenAI Agents and LangChain (their own recursion).
\`npm run proof -- installs\` installs Toolpact beside each framework in a fresh project, without flags.

## ${faults.length} faults in every framework

Each cell is a real run with a scripted model that calls the tool, reads what came back and answers. Left the framework alone, as its documentation tells to
write tools; right the same with Toolpact. Bare SDKs are measured with their own tool runners; MCP has no agent, so a plain loop calls its tools.

**S** the run reached its answer and the model was told the truth · **s** told that it failed, but the cause was lost or wrong · **Q** told success, or nothing ·
**E** the run ended early, without an error · **T** the run threw · **H** hung · **X** the process died · **–** no such feature

The judge reads the text that the model got: it has to say that the call failed, and name the cause in the words of the fault; for a call that worked it has to
hold the result. A bare \`undefined\` or \`[object Object]\` tells a model nothing, and counts as **s** beside the flag of a failure, as **Q** without one. The
rules are code: [proofs/battery](https://github.com/toolpact/toolpact/tree/main/proofs/battery).

| fault | ${columns.map(({ title }) => title).join(' | ')} |
|---|${columns.map(() => ':-:|').join('')}
${faults.map((fault, index) => `| ${fault} | ${rows.map(({ column, own }) => cell(own, column, index)).join(' | ')} |`).join('\n')}

## Score

Measured on ${date}, with the newest versions that can be installed beside each other. LangGraph 1.5 and newer need packages that the registry did not have on
that day.

Classified: of the 30 faults that are errors, those where the application gets a kind or code, and not merely an error object, a flag, or nothing.

| | alone: told the truth | survived | classified | leaks a secret / a stack | with Toolpact: told the truth | classified | leaks | measured with |
|---|---:|---:|---:|---|---:|---:|---|---|
${rows.map(({ column, own }) => score(column, own)).join('\n')}

The same faults in tools that are wrapped, by \`fromTools\`, and by \`fromMcp\` from servers without Toolpact:

| | told the truth | classified | leaks |
|---|---:|---:|---|
| AI SDK | 47/47 | 30/30 | 0 / 0 |
| LangChain (no output schemas) | 46/46 | 30/30 | 0 / 0 |
| MCP v1, MCP v2 | 41/47 | 18/30 | 0 / 0 |

A server without Toolpact answers with a text and no kind, so its failures are \`failed\`: its words are all there is. Six faults lose their cause in the server, before anything
is sent: an object that is thrown, the cause of a failed \`fetch\` (twice), and results that are undefined, a function or a Map.

The measurements are checked in. \`npm test\` repeats the right-hand side and compares it; it fails when an installed version is not the one that was measured alone.
\`npm run battery:baseline\` measures the left-hand side again, \`npm run battery\` both.
`;
}

/** How each adapter is used, and how tools of its host are wrapped. */
const usages: readonly (readonly [adapter: string, line: string, back: string])[] = [
  ['ai-sdk', 'generateText({ model, prompt, ...toRunOptions(toolbox) })', 'fromTools(tools)'],
  ['openai-agents', 'run(new Agent({ name, tools: toTools(toolbox) }), prompt, toRunOptions(toolbox))', ''],
  ['langchain', 'createAgent({ model, tools: toTools(toolbox), middleware: [toMiddleware(toolbox)] })', 'fromTools(tools)'],
  [
    'langchain (LangGraph)',
    "graph.addNode('tools', toToolNode(new ToolNode(toTools(toolbox)), toolbox)), with the model piped through mendCalls",
    '',
  ],
  ['mastra', 'new Agent({ …, tools: toTools(toolbox), inputProcessors: [toInputProcessor(toolbox)] })', ''],
  ['adk', 'new LlmAgent({ …, tools: toTools(toolbox), beforeModelCallback: toBeforeModelCallback(toolbox) })', ''],
  ['genkit', 'ai.generate({ model, prompt, tools: toTools(toolbox), use: [toMiddleware(toolbox)] })', ''],
  ['strands', 'new Agent({ model, tools: toTools(toolbox), plugins: [toPlugin(toolbox)] })', ''],
  ['tanstack-ai', "chat({ messages, ...toRunOptions(toolbox, openaiText('gpt-5.5')) })", ''],
  ['mcp', 'toMcpServer(toolbox, { server: new Server(info) }).connect(transport)', 'await fromMcp(client, { schema: fromJsonSchema })'],
  ['openai', 'await evaluate({ client, toolbox, params })', ''],
  ['anthropic', 'await evaluate({ client, toolbox, params })', ''],
  ['google-genai', 'await evaluate({ client, toolbox, params })', ''],
];

function read(file: string): Measurement {
  return JSON.parse(readFileSync(new URL(`../proofs/battery/${file}`, import.meta.url), 'utf8')) as Measurement;
}

/** Columns stand in the order of the adapters above. */
function place({ adapter }: Column): number {
  return usages.findIndex(([name]) => name === adapter);
}

function cell(own: Column | undefined, { codes }: Column, index: number): string {
  return `${own?.codes[index] ?? '–'} → ${codes[index]}`;
}

function score({ title, codes, app, leaks, versions }: Column, own: Column | undefined): string {
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const alone =
    own === undefined
      ? ['–', '–', '–', '–']
      : [share(own.codes, 'S'), share(own.codes, 'SsQ'), `${count(own.app, 'C')}/30`, told(own.leaks)];
  return `| ${[title, ...alone, share(codes, 'S'), `${count(app, 'C')}/30`, told(leaks), packages.join(', ')].join(' | ')} |`;
}

function share(codes: string, letters: string): string {
  return `${count(codes, letters)}/${[...codes].filter((code) => code !== '–').length}`;
}

function count(text: string, letters: string): number {
  return [...text].filter((letter) => letters.includes(letter)).length;
}

function told(leaks: Column['leaks']): string {
  const times = (what: string): string => `${Object.values(leaks).filter((one) => one.includes(what)).length}`;
  return `${times('secret')} / ${times('stack')}`;
}
