/** The Standard Schema interface (version 1): any library that has it can describe a tool's input and output. */
export interface StandardSchemaV1<TInput = unknown, TOutput = TInput> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<TOutput> | Promise<StandardResult<TOutput>>;
    readonly types?: { readonly input: TInput; readonly output: TOutput } | undefined;
    /** The JSON Schema side of the standard (1.1); some libraries add it through a wrapper. */
    readonly jsonSchema?:
      | {
          readonly input: (options: { readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' }) => Record<string, unknown>;
          readonly output: (options: { readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' }) => Record<string, unknown>;
        }
      | undefined;
  };
}

/** Returns the JSON Schema of what goes in and what comes out. May throw for what JSON Schema cannot express. */
export type StandardJsonSchema = NonNullable<StandardSchemaV1['~standard']['jsonSchema']>;

/** The result of a validation. */
export type StandardResult<TOutput> =
  | { readonly value: TOutput; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One problem as the schema library reports it. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A Standard Schema whose input is an object, as the arguments of a tool are; a list or a plain value is not. */
export type ObjectSchema = StandardSchemaV1<object & { readonly [Symbol.iterator]?: never }, unknown>;

/** The input type of a schema. */
export type InferInput<TSchema extends StandardSchemaV1> = NonNullable<TSchema['~standard']['types']>['input'];

/** The output type of a schema. */
export type InferOutput<TSchema extends StandardSchemaV1> = NonNullable<TSchema['~standard']['types']>['output'];
