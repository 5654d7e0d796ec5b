/** A JSON Schema, as far as the page shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly [rule: string]: unknown;
}

interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** An operation of the description. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly 'x-tool'?: string;
  readonly 'x-effects'?: 'none' | 'idempotent' | 'writes';
  readonly requestBody: { readonly content: { readonly 'application/json': MediaType } };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly 'x-failures'?: readonly string[];
  readonly content?: { readonly 'application/json': MediaType };
}

/** The description of the server, `openapi.json`. */
export interface Description {
  readonly info: { readonly title: string; readonly summary: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: { readonly Dialect: { readonly schema: { readonly enum: readonly string[] } } } };
}
