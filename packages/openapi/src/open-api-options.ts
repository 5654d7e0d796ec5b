import type { JsonValue, RunContext, ToolContract } from 'toolpact';

/** One operation of a description. */
export interface OpenApiOperation {
  /** The name of its tool. */
  readonly name: string;
  /** In capitals: `GET`. */
  readonly method: string;
  /** As the description writes it: `/pets/{petId}`. */
  readonly path: string;
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
}

/** A credential for an API: a key or token, a login, or headers and query fields for schemes of other kinds. */
export type Credential =
  | string
  | { readonly username: string; readonly password: string }
  | { readonly headers?: Readonly<Record<string, string>>; readonly query?: Readonly<Record<string, string>> };

/** A credential, or where to get the one of a call: from its tenant, its user, or `ctx.auth`. */
export type CredentialSource =
  | Credential
  | ((context: RunContext, scheme: string) => Credential | undefined | Promise<Credential | undefined>);

/** Settings of one tool that the description does not contain. */
export type OpenApiOverride = {
  readonly [K in
    | 'name'
    | 'description'
    | 'effects'
    | 'timeoutMs'
    | 'idempotency'
    | 'retry'
    | 'cache'
    | 'approval'
    | 'deferAfterMs'
    | 'toModel'
    | 'onFailure'
    | 'echoInput'
    | 'maxResultChars']?: ToolContract<string, never, unknown, never, unknown>[K];
};

/** Which operations become tools and how their requests are made. */
export interface OpenApiOptions {
  /** The credential of each security scheme, by the name the description gives it. Credentials never appear in any output. */
  readonly auth?: Readonly<Record<string, CredentialSource | undefined>>;
  /** Which operations become tools: by operationId, tag, or `GET /path/*`, by pattern, or as you decide. @default all */
  readonly include?: readonly (string | RegExp)[] | ((operation: OpenApiOperation) => boolean);
  /** The address to call instead of the servers the description names; a function gets the one it names. */
  readonly baseUrl?: string | ((declared: string | undefined) => string);
  /** The address the description was read from: servers of that origin count, and relative ones begin there. */
  readonly source?: string;
  /**
   * Origins that requests, and the credentials with them, may go to beside the description's own; `'any'` trusts the description. Its own is
   * that of `source`, else that of its first server if that is outside of this network. Operations of other servers are skipped.
   */
  readonly servers?: readonly string[] | 'any';
  /** Values for the variables in server addresses. */
  readonly serverVariables?: Readonly<Record<string, string>>;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string>> | ((context: RunContext) => Readonly<Record<string, string>>);
  /** Parameters that the application fills in, by name: values, or functions of the call. Models neither see nor set them. */
  readonly preset?: Readonly<Record<string, JsonValue | undefined | ((context: RunContext) => JsonValue | undefined)>>;
  /** Goes before every tool's name, so that two APIs can share a toolbox. */
  readonly prefix?: string;
  /** @default globalThis.fetch */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Leaves deprecated operations out. @default false */
  readonly skipDeprecated?: boolean;
  /** The header that carries the call's idempotency key in writing methods; `false` sends none. @default 'Idempotency-Key' */
  readonly idempotencyHeader?: string | false;
  /** How an answer that breaks its own description is treated: `strict` fails with `bad_response`, `lenient` warns and promises no output schema. @default 'strict' */
  readonly responses?: 'strict' | 'lenient';
  /** Says more about single tools than the description does, or something else. */
  readonly override?: (operation: OpenApiOperation) => OpenApiOverride | undefined;
  /** @default 30_000 */
  readonly timeoutMs?: number;
  /** Answers above this many bytes fail with `too_large`. @default 5_000_000 */
  readonly maxResponseBytes?: number;
  /** How long one schema may be as JSON; deeper parts of longer ones are described by their type only. @default 30_000 */
  readonly maxSchemaChars?: number;
}
