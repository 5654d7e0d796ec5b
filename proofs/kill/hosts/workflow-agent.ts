import { fileURLToPath } from 'node:url';
import type { KillHost } from '../host.ts';
import { runWorkflow, type WorkflowApp } from '../workflow-process.ts';

const app: WorkflowApp = {
  folder: fileURLToPath(new URL('../workflow-agent/', import.meta.url)),
  ending: 'mjs',
  bundles: ['flow'],
};

/** `WorkflowAgent` of the AI SDK in a workflow; each of its tools is a `'use step'`. */
export const host: KillHost = {
  title: 'AI SDK WorkflowAgent',
  mode: "`WorkflowAgent` in a `'use workflow'` function, its tools `'use step'`; `stream` gives back a call that a person has to approve, and goes on with the answer of a hook. Built and restarted as Vercel Workflow; the lease on a step that was interrupted is 2 s in place of 860 s.",
  documentation: 'https://ai-sdk.dev/docs/agents/workflow-agent',
  packages: ['@ai-sdk/workflow', 'workflow', '@workflow/world-local'],
  folder: 'workflow-agent',
  key: '`getStepMetadata().stepId`, as the page of Workflow on idempotency says',
  asks: true,
  run: (life) => runWorkflow(app, life),
};
