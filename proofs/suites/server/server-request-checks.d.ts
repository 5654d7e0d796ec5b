import { type Check } from '../../../packages/testing/src/define-check.ts';
import type { ServerSubject } from './server-subject.ts';
/** What a server must do with requests, before and besides any call. */
export declare const serverRequestChecks: readonly Check<ServerSubject>[];
