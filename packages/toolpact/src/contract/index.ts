// All that is public, and what only the other folders need.
export { readContextHeaders, type TraceSources, toUuid } from './context-headers.ts';
export { createRunId } from './create-run-id.ts';
export { explainIssues, pathOf, typeName, withArticle, wrongType } from './explain-issues.ts';
export { findMisfit } from './find-misfit.ts';
export { flattenSchema, limitKeywords, mergeSchemas } from './flatten-schema.ts';
export { exportJsonSchema } from './json-schema.ts';
export { lift, lower, type SchemaTarget } from './lower.ts';
export { noTenant } from './no-tenant.ts';
export { outcomeSchema } from './outcome-schema.ts';
export * from './public.ts';
export { redirectReferences } from './redirect-references.ts';
export { defaultRetry, retryOptions } from './retry-rule.ts';
export { sampleText } from './sample-text.ts';
export { numberRange, sampleValue } from './sample-value.ts';
export type { Part as SchemaPart } from './schema-at.ts';
export { checkToolName, toNameKey, toProviderName } from './tool-name.ts';
export { toWaitMs, waitForResult } from './wait-for-result.ts';
