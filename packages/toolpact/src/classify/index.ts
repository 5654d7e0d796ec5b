export { type ClassifyHints, classify } from './classify.ts';
export { type Expose, exposeModes } from './failure-message.ts';
export { issueValues } from './issue-values.ts';
export { kindOfErrorType } from './kind-of-error-type.ts';
export { readHttpStatus } from './read-http-status.ts';
export { isUnreadResponse, readResponse } from './read-response.ts';
export { readWait } from './retry-after.ts';
export { isRefusingStatus, showsRefusal } from './shows-refusal.ts';
export { toReadFailure } from './to-read-failure.ts';
