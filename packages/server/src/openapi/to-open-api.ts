import type { JsonObject } from 'toolpact';
import type { Dialect } from 'toolpact/dialects';
import { checkToolbox, refuseOptions } from 'toolpact/internal';
import { readDialects } from '../read-dialects.ts';
import type { GivenRoute } from '../request/given-route.ts';
import { createFormats } from '../request/response-format.ts';
import { checkRoutes, layRoutes } from '../routes/lay-routes.ts';
import { routes } from '../routes/routes.ts';
import type { ServedToolbox } from '../server-options.ts';
import { fillForms, fillResponses } from './answer-forms.ts';
import { describePaths } from './describe-paths.ts';
import { describeSecurity } from './describe-security.ts';
import { describeTool } from './describe-tool.ts';
import { failureResponses } from './failures.ts';
import { sharedHeaders, sharedParameters } from './parameters.ts';
import { sharedSchemas } from './shared-schemas.ts';

/** The parts of a document that the toolbox does not state. */
export interface OpenApiOptions {
  /** @default 'Tools' */
  readonly title?: string;
  /** The version of the tools, not of this package. @default '1' */
  readonly version?: string;
  /** The headers in which credentials are taken. @default none: no credential is needed */
  readonly credentialHeaders?: readonly string[];
  /** Names the tools to describe. @default all of the toolbox */
  readonly only?: (name: string) => boolean;
  /** The dialects that a request may select, besides `outcome` and `problem`. @default none */
  readonly dialects?: readonly Dialect[];
  /** Routes that the server is given. The dialects in which they answer are described, too. @default none */
  readonly routes?: readonly GivenRoute[];
}

const about = [
  'Every operation under **Tools** calls one tool. However a call ends, its answer is an outcome: `ok` (200), `partial` (207), `pending` (202) or `error`,',
  'whose HTTP status follows from the kind of failure. `?dialect=` or `Accept: application/json; profile=…` selects another form of the same answer.',
  '`Accept: text/event-stream` streams the progress of a call.',
].join('\n');

/** Writes the OpenAPI 3.1 document of a toolbox as a server serves it: one operation per tool, all schemas and examples from the contracts. */
export function toOpenApi(toolbox: ServedToolbox, options: OpenApiOptions = {}): JsonObject {
  refuseOptions<OpenApiOptions>('toOpenApi', options, {
    title: true,
    version: true,
    credentialHeaders: true,
    only: true,
    dialects: true,
    routes: true,
  });
  checkToolbox('toOpenApi', toolbox);
  const { title = 'Tools', version = '1', credentialHeaders = [], only = () => true, routes: given = [] } = options;
  checkRoutes('toOpenApi', given);
  const { names, dialects } = createFormats(readDialects('toOpenApi', options));
  const tools = toolbox.tools.filter(({ name }) => only(name)).map(describeTool);
  const groups = describePaths(layRoutes(routes, given), toolbox, dialects);
  const { schemes, security } = describeSecurity(credentialHeaders);
  const tags = new Map(tools.map(({ tag }) => [tag, tag === 'Tools' ? 'One operation per tool.' : `The tools of ${tag}.`]));
  for (const { tag, description } of groups) tags.set(tag, description);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      summary: `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'} over HTTP`,
      description: about,
      // The operator of the server decides about the license.
      license: { name: 'As the operator of this server states', identifier: 'LicenseRef-operator' },
    },
    servers: [{ url: '/', description: 'The server this document comes from.' }],
    security: [...security],
    tags: [...tags].map(([name, description]) => ({ name, description })),
    paths: Object.assign(
      {},
      ...tools.map(({ path, operation }) => ({ [path]: { post: fillResponses(operation, dialects) } })),
      ...groups.map(({ paths }) => paths),
    ) as JsonObject,
    components: {
      schemas: Object.assign(
        sharedSchemas(dialects),
        ...tools.map(({ schemas }) => schemas),
        ...groups.map(({ schemas }) => schemas),
      ) as JsonObject,
      parameters: sharedParameters(names),
      headers: sharedHeaders(names),
      responses: fillForms(failureResponses(), dialects),
      ...(security.length > 0 && { securitySchemes: schemes }),
    },
  };
}
