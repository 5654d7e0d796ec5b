// What the other rings may use: all that is public, and what only they need.
export { explainIssues, pathOf, typeName, withArticle, wrongType } from './explain-issues.ts';
export { findMisfit } from './find-misfit.ts';
export { exportJsonSchema } from './json-schema.ts';
export * from './public.ts';
export { redirectReferences } from './redirect-references.ts';
export { defaultRetry, retryOptions } from './retry-rule.ts';
export { sampleText } from './sample-text.ts';
export { checkToolName, toNameKey, toProviderName } from './tool-name.ts';
export { toWaitMs, waitForResult } from './wait-for-result.ts';
