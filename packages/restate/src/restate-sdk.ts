import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { ToolpactError } from 'toolpact';

/** The part of the package `@restatedev/restate-sdk` that is used here. */
export interface RestateSdk {
  readonly workflow: (definition: {
    readonly name: string;
    readonly handlers: Readonly<Record<string, (ctx: never, input: never) => Promise<unknown>>>;
    readonly options?: object;
  }) => unknown;
  readonly createEndpointHandler: (options: object) => NodeHandler;
  readonly RestatePromise: { readonly race: <TValue>(promises: readonly RestatePromise<TValue>[]) => RestatePromise<TValue> };
  readonly TerminalError: new (message: string, options?: { readonly errorCode?: number }) => Error;
  readonly CancelledError: new () => Error;
}

/** Answers the requests of a Node HTTP server, of version 1 or 2. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  (request: Http2ServerRequest, response: Http2ServerResponse): void;
}

/** A promise that Restate keeps. Only its own combinators settle in the same order when a call is replayed. */
export interface RestatePromise<TValue> extends PromiseLike<TValue> {
  readonly map: <TMapped>(map: (value?: TValue, failure?: Error) => TMapped) => RestatePromise<TMapped>;
}

/** The part of Restate's workflow context that is used here. */
export interface WorkflowContext {
  readonly key: string;
  readonly run: <TValue>(name: string, action: () => Promise<TValue>) => RestatePromise<TValue>;
  readonly sleep: (ms: number, name?: string) => RestatePromise<void>;
  readonly promise: (name: string) => {
    readonly get: () => RestatePromise<unknown>;
    readonly peek: () => PromiseLike<unknown>;
    readonly resolve: (value: unknown) => PromiseLike<void>;
  };
  readonly set: (name: string, value: unknown) => void;
  readonly get: (name: string) => PromiseLike<unknown>;
  readonly clear: (name: string) => void;
  readonly cancel: (invocationId: string) => void;
  readonly request: () => { readonly id: string; readonly attemptCompletedSignal: AbortSignal };
}

/** Loads the package, which only a worker needs. */
export async function loadRestateSdk(): Promise<RestateSdk> {
  const packageName = '@restatedev/restate-sdk';
  return (await import(packageName).catch((cause: unknown) => {
    throw new ToolpactError(
      'missing_package',
      'restateEndpoint needs the package @restatedev/restate-sdk: npm install @restatedev/restate-sdk',
      { package: packageName },
      { cause },
    );
  })) as RestateSdk;
}
