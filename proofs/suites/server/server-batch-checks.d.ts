import { type Check } from '../../../packages/testing/src/define-check.ts';
import type { ServerSubject } from './server-subject.ts';
/** What a server must do with many calls. */
export declare const serverBatchChecks: readonly Check<ServerSubject>[];
