/** A framework or provider that projects use, and the lines that connect a toolbox with it. */
export interface Framework {
  /** The package by which a project shows that it uses it. */
  readonly package: string;
  readonly name: string;
  /** The imported names, and the adapter that they come from. */
  readonly imports: string;
  readonly from: string;
  readonly line: string;
}

/** The frameworks and providers that `toolpact init` knows; of several in one project, the first counts. */
export const frameworks: readonly Framework[] = [
  {
    package: '@mastra/core',
    name: 'Mastra',
    imports: 'toInputProcessor, toTools',
    from: 'mastra',
    line: 'new Agent({ …, tools: toTools(toolbox), inputProcessors: [toInputProcessor(toolbox)] })',
  },
  {
    package: '@openai/agents',
    name: 'OpenAI Agents',
    imports: 'toRunOptions, toTools',
    from: 'openai-agents',
    line: 'run(new Agent({ name, tools: toTools(toolbox) }), prompt, toRunOptions(toolbox))',
  },
  {
    package: '@google/adk',
    name: 'ADK',
    imports: 'toBeforeModelCallback, toTools',
    from: 'adk',
    line: 'new LlmAgent({ …, tools: toTools(toolbox), beforeModelCallback: toBeforeModelCallback(toolbox) })',
  },
  {
    package: 'genkit',
    name: 'Genkit',
    imports: 'toMiddleware, toTools',
    from: 'genkit',
    line: 'ai.generate({ model, prompt, tools: toTools(toolbox), use: [toMiddleware(toolbox)] })',
  },
  {
    package: '@strands-agents/sdk',
    name: 'Strands',
    imports: 'toPlugin, toTools',
    from: 'strands',
    line: 'new Agent({ model, tools: toTools(toolbox), plugins: [toPlugin(toolbox)] })',
  },
  {
    package: '@tanstack/ai',
    name: 'TanStack AI',
    imports: 'toRunOptions',
    from: 'tanstack-ai',
    line: 'chat({ messages, ...toRunOptions(toolbox, adapter) })',
  },
  {
    package: 'langchain',
    name: 'LangChain',
    imports: 'toMiddleware, toTools',
    from: 'langchain',
    line: 'createAgent({ model, tools: toTools(toolbox), middleware: [toMiddleware(toolbox)] })',
  },
  {
    package: 'ai',
    name: 'the AI SDK',
    imports: 'toRunOptions',
    from: 'ai-sdk',
    line: 'await generateText({ model, prompt, ...toRunOptions(toolbox) })',
  },
  {
    package: 'openai',
    name: 'OpenAI',
    imports: 'evaluate',
    from: 'openai',
    line: 'await evaluate({ client, toolbox, params })',
  },
  {
    package: '@anthropic-ai/sdk',
    name: 'Anthropic',
    imports: 'evaluate',
    from: 'anthropic',
    line: 'await evaluate({ client, toolbox, params })',
  },
  {
    package: '@google/genai',
    name: 'Gemini',
    imports: 'evaluate',
    from: 'google-genai',
    line: 'await evaluate({ client, toolbox, params })',
  },
];
