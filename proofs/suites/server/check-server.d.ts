import { type Check, type Finding } from '../../../packages/testing/src/define-check.ts';
import { type FetchHandler, type ServerSubject } from './server-subject.ts';
/** How a server is judged. */
export interface CheckServerOptions {
    /** Sent with every request: a credential, for example. */
    readonly headers?: Readonly<Record<string, string>>;
    /** The size above which the server refuses bodies. @default 1_048_576 */
    readonly maxBodyBytes?: number;
    /** How long the server may take to answer a request. @default 10_000 */
    readonly patienceMs?: number;
    /** Checks to leave out, by id: `server/host` for one behind a proxy that sees to it. */
    readonly skip?: readonly string[];
}
/** All checks of a server. */
export declare const serverChecks: readonly Check<ServerSubject>[];
/**
 * Judges a server that claims to speak the HTTP interface of Toolpact, by its address or its fetch handler: statuses, dialects, headers,
 * refusals, batches, and what it must not disclose. Outcomes are judged with the tools of `serverCaseTools`, which the server has to serve for that.
 */
export declare function checkServer(server: string | URL | FetchHandler, options?: CheckServerOptions): Promise<readonly Finding[]>;
