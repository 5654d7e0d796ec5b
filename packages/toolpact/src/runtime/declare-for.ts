import { type FailureCodes, retryOptions, type StandardSchemaV1, type ToolContract } from '../contract/index.ts';
import { type OptionNames, refuseOptions, ToolpactError, withoutAbsent } from '../outcome/index.ts';
import { checkApproval } from './check-approval.ts';
import { type AnyTool, requiredBy, toTool } from './define-tool.ts';
import { allEffects } from './steps.ts';
import { findPlan, type ToolPlan } from './tool-plan.ts';

/** Declarations for tools of others: options of `defineTool` that say how their calls are made. */
export type ToolDeclaration = Partial<
  Pick<ToolContract<string, StandardSchemaV1, StandardSchemaV1 | undefined, FailureCodes, unknown>, DeclaredOption>
>;

type DeclaredOption =
  | 'approval'
  | 'preview'
  | 'idempotency'
  | 'retry'
  | 'cache'
  | 'deferAfterMs'
  | 'effects'
  | 'timeoutMs'
  | 'maxResultChars'
  | 'redact';

const declaredOptions = {
  approval: true,
  preview: 'a function',
  idempotency: true,
  retry: true,
  cache: true,
  deferAfterMs: 'a number above 0',
  effects: allEffects,
  timeoutMs: 'a number above 0',
  maxResultChars: 'a number above 0',
  redact: true,
} as const satisfies OptionNames<ToolDeclaration>;

/** Returns a tool with what is declared for it; what the tool itself states is replaced. */
export function declareFor(tool: AnyTool, declaration: ToolDeclaration | undefined): AnyTool {
  if (declaration === undefined || Object.keys(declaration).length === 0) return tool;
  const what = `what is declared for "${tool.name}"`;
  refuseOptions<ToolDeclaration>(what, declaration, declaredOptions);
  const { idempotency, retry, cache, approval, preview, deferAfterMs, effects, timeoutMs, maxResultChars, redact } = declaration;
  refuseOptions(`${what}: idempotency`, idempotency, { key: 'a function', ttlMs: 'a number above 0' });
  if (retry !== false) refuseOptions(`${what}: retry`, retry, retryOptions);
  refuseOptions(`${what}: cache`, cache, { ttlMs: 'a number above 0' });
  refuseOptions(`${what}: redact`, redact, { results: 'a boolean' });
  checkApproval(what, approval);
  const plan = findPlan(tool) as ToolPlan;
  if (cache !== undefined && (effects ?? plan.effects) !== 'none')
    throw new ToolpactError('invalid_definition', `${what}: only a tool with effects: 'none' can be cached`, { tool: tool.name });
  const stated = withoutAbsent({ idempotency, retry, cache, approval, preview, deferAfterMs }) as ToolPlan['guardOptions'];
  const guardOptions = { ...plan.guardOptions, ...stated };
  const own = withoutAbsent({ effects, timeoutMs, maxResultChars, redact }) as Partial<ToolPlan>;
  const changed = {
    ...plan,
    ...own,
    ...(effects !== undefined && { declaresEffects: true }),
    guardOptions,
    requires: requiredBy(guardOptions),
  };
  return toTool(changed, { ...tool, ...(effects !== undefined && { effects }) });
}
