export { type ClassifyHints, classify, type Expose } from './classify.ts';
export { issueValues } from './issue-values.ts';
export { kindOfErrorType } from './kind-of-error-type.ts';
export { readHttpStatus } from './read-http-status.ts';
export { isUnreadResponse, readResponse } from './read-response.ts';
export { readWait } from './retry-after.ts';
export { isRefusingStatus } from './shows-refusal.ts';
export { toReadFailure } from './to-read-failure.ts';
