/** A fetch handler, as servers on many runtimes are. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;
/** An answer, read whole. Header names are in lower case. */
export interface ServerAnswer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
    /** The body, if it is JSON. */
    readonly json: Readonly<Record<string, unknown>> | undefined;
}
/** What is sent besides method and path. An object is sent as JSON, a text as it is. */
export interface Sending {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
}
/** A server as its checks see it. */
export interface ServerSubject {
    readonly send: (method: string, path: string, sending?: Sending) => Promise<ServerAnswer>;
    /** Calls a tool. */
    readonly call: (tool: string, args: unknown, headers?: Readonly<Record<string, string>>, query?: string) => Promise<ServerAnswer>;
    /** Whether it serves the tools of `serverCaseTools`. */
    readonly hasCases: () => Promise<boolean>;
    /** Bodies above this are refused. */
    readonly maxBodyBytes: number;
}
/** What a server is asked with. */
export interface SubjectOptions {
    readonly headers?: Readonly<Record<string, string>>;
    readonly maxBodyBytes?: number;
    readonly patienceMs?: number;
}
/** Makes what sends the requests of checks, to an address or straight into a handler. */
export declare function toServerSubject(server: string | URL | FetchHandler, { headers: always, maxBodyBytes, patienceMs }?: SubjectOptions): ServerSubject;
