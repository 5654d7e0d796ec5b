// All that is public, what authors of tool checks import from toolpact/extend, and the checks of contracts for the command line.

export * from './public.ts';
export type { ContractName } from './tools/contract-checks.ts';
export { contractChecks } from './tools/contract-checks.ts';
export { defineToolCheck, type ToolCheckDefinition } from './tools/tool-check.ts';
