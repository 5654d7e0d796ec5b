import { describe } from '../openapi/operation.ts';
import { pageParameters, pathParameter } from '../openapi/parameters.ts';
import { object } from '../openapi/shared-schemas.ts';
import { schemaRef } from '../openapi/to-component.ts';
import { encodeJson } from '../request/encode-outcome.ts';
import { isAnswer } from '../request/http-answer.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route } from '../request/route.ts';
import { isOffered } from '../request/search-tools.ts';
import { readCount } from './read-query.ts';

const defaultPage = 100;
const maxPage = 1_000;
const page = object(
  {
    tools: { type: 'array', items: schemaRef('ListedTool') },
    total: { type: 'integer' },
    offset: { type: 'integer' },
    next: { type: 'integer' },
  },
  ['tools', 'total', 'offset'],
);

/** The routes that list the tools. A caller sees those that it may call. */
export const toolRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/tools',
    run(request, { toolbox, refuse }) {
      const { head, identity } = request;
      const offset = readCount(head, 'offset', 0, 0);
      const limit = readCount(head, 'limit', defaultPage, 1);
      if (offset === undefined || limit === undefined) {
        return refuse(request, 'invalid_input', 'offset must be a whole number from 0, limit one from 1.');
      }
      const allowed = toolbox.list().filter(({ name }) => isOffered(toolbox, identity, name));
      const end = offset + Math.min(limit, maxPage);
      const tools = allowed.slice(offset, end);
      return encodeJson(traceOf(head), { tools, total: allowed.length, offset, ...(end < allowed.length && { next: end }) });
    },
    docs: describe('Catalogue', 'listTools', 'List the tools that this caller may call', 'Page by page, in the order of the toolbox.', {
      parameters: pageParameters,
      gives: ['One page of tools.', page],
      fails: [400],
    }),
  },
  {
    method: 'GET',
    path: '/v1/tools/{name}/schema',
    run(request, { toolbox, permit, refuse }) {
      const { head, identity, param } = request;
      const name = permit(request, identity, param);
      if (isAnswer(name)) return name;
      const listed = name === undefined ? undefined : toolbox.list().find((tool) => tool.name === name);
      if (listed === undefined) return refuse(request, 'unknown_tool', `There is no tool named ${JSON.stringify(param.slice(0, 64))}.`);
      return encodeJson(traceOf(head), listed);
    },
    docs: describe('Catalogue', 'readTool', 'Read the schemas of one tool', 'Any unambiguous spelling of the name will do.', {
      parameters: [pathParameter('name', 'The name of the tool.', 'add')],
      gives: ['The tool.', schemaRef('ListedTool')],
      fails: [404],
    }),
  },
];
