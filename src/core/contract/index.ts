// What the other rings may use: all that is public, and what only they need.
export type { SessionPort } from './call-context.ts';
export { explainIssues, pathOf, typeName, withArticle, wrongType } from './explain-issues.ts';
export { exportJsonSchema } from './json-schema.ts';
export * from './public.ts';
export { redirectReferences } from './redirect-references.ts';
export { checkToolName, toNameKey, toProviderName } from './tool-name.ts';
