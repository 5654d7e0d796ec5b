import { type Check, type Problem } from '../../../packages/testing/src/define-check.ts';
import type { ServerAnswer, ServerSubject } from './server-subject.ts';
/** Gathers what a generator finds, for `run` of a check. */
export declare function gather(problems: AsyncIterable<Problem>): Promise<Problem[]>;
/** What of an answer stands in a finding. */
export declare function shown({ status, headers, text }: ServerAnswer): object;
/** What a server must do with one call. */
export declare const serverCallChecks: readonly Check<ServerSubject>[];
/** Reads the kind of a failure off an outcome or a problem document. */
export declare function kindOf({ json }: ServerAnswer): unknown;
