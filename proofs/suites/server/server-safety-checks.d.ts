import { type Check } from '../../../packages/testing/src/define-check.ts';
import type { ServerSubject } from './server-subject.ts';
/** What a server must not do for any caller. */
export declare const serverSafetyChecks: readonly Check<ServerSubject>[];
