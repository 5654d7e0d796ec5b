import { fileURLToPath } from 'node:url';
import type { KillHost } from '../host.ts';
import { runWorkflow, type WorkflowApp } from '../workflow-process.ts';

const app: WorkflowApp = {
  folder: fileURLToPath(new URL('../workflow-app/', import.meta.url)),
  ending: 'cjs',
  bundles: ['flow', 'step'],
};

/** A loop as a workflow of Vercel's Workflow SDK: each question to the model and each tool is a `'use step'`. */
export const host: KillHost = {
  title: 'Vercel Workflow, local world',
  mode: "A `'use workflow'` function whose model calls and tools are `'use step'`, built by its standalone builder; the local world's `start` takes up active runs again.",
  documentation: 'https://useworkflow.dev/docs/foundations/idempotency',
  packages: ['workflow', '@workflow/world-local'],
  key: '`getStepMetadata().stepId`, as its page on idempotency says',
  asks: true,
  run: (life) => runWorkflow(app, life),
};
