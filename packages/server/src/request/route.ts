import type { JsonObject } from 'toolpact';
import type { Identity } from '../auth/identity.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { ResponseFormat } from './response-format.ts';
import type { Scope } from './scopes.ts';
import type { AnswerForm } from './served-dialect.ts';
import type { ServerRequest } from './server-request.ts';
import type { ServerState } from './server-state.ts';

/** A request whose caller is known and whose body was read. */
export interface RouteRequest extends ServerRequest {
  readonly identity: Identity;
  /** The format that the request selects. */
  readonly format: ResponseFormat;
  /** The part of the path that stands for `{…}`, decoded. */
  readonly param: string;
  /** The JSON body; undefined for an empty one, and for routes that read none. */
  readonly value: unknown;
}

/** One row of the table of routes: the listeners and the OpenAPI document are made from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | '*';
  /** The path, with at most one part in braces: `/v1/calls/{id}`. */
  readonly path: string;
  /** Who may ask; `open` for everybody. @default every caller with a valid credential */
  readonly scope?: Scope;
  /** The format of its refusals where a request selects none. @default problem details */
  readonly format?: AnswerForm;
  /** The format of its outcomes where a request selects none. @default that of its refusals */
  readonly outcomes?: AnswerForm;
  /** Refuses a dialect that does not exist before anything else is looked at. @default false */
  readonly selectsFormat?: boolean;
  /** Refused while the server shuts down. @default false */
  readonly startsWork?: boolean;
  /** A part that the toolbox must have; without it the route answers 501. */
  readonly needs?: Need;
  /** The option of the server that switches the route off, or on where it is off by default. */
  readonly option?: 'mcp' | 'openapi' | 'inspector' | 'operator';
  /** Reads a JSON body before the route runs. @default false */
  readonly read?: 'json';
  readonly run: (request: RouteRequest, server: ServerState) => HttpAnswer | Promise<HttpAnswer>;
  /** Its description in the OpenAPI document. */
  readonly docs?: RouteDocs;
}

/** A need of a route: a store, large results that are kept, or resources. */
export type Need = 'store' | 'results' | 'resources';

/** An operation of the OpenAPI document. */
export interface RouteDocs {
  /** The group to which it belongs; one that the server does not have needs a description. */
  readonly group: RouteGroup | { readonly name: string; readonly description: string };
  readonly operation: JsonObject;
  /** Schemas that only this operation needs. */
  readonly schemas?: JsonObject;
  /** Described only where the toolbox has this part, too. @default that of the route */
  readonly needs?: Need;
}

/** The groups of operations that every server has. */
export type RouteGroup = 'Catalogue' | 'More ways to call' | 'Stored calls' | 'Approvals' | 'Sessions' | 'Inspector' | 'Server';
