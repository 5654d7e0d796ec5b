import type { JsonObject } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import type { AcceptedTool } from '../gateway/create-gateway.ts';
import { type GatewayAccess, gatewayOf } from '../gateway/gateway-access.ts';
import { describe } from '../openapi/operation.ts';
import { object } from '../openapi/shared-schemas.ts';
import { encodeJson } from '../request/encode-outcome.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import type { GatewayServer } from './page-answers.ts';

const text: JsonObject = { type: 'string' };
const texts: JsonObject = { type: 'array', items: text };
const change = object({ place: text, level: { enum: ['breaking', 'compatible'] }, message: text, before: {}, after: {} });
const tool = object(
  {
    name: text,
    listedAs: { ...text, description: 'As its server lists it.' },
    rule: { type: 'object', description: 'What the rules of the gateway say about it.' },
    hints: { type: 'object', description: 'What its server says of itself.' },
    drift: object({ mode: { enum: ['block', 'ask', 'warn'] }, fingerprint: text, changes: { type: 'array', items: change } }),
    leftOut: { ...text, description: 'Why it is not offered.' },
  },
  ['name', 'listedAs', 'rule'],
);
const servers: JsonObject = {
  type: 'array',
  items: object(
    {
      name: text,
      status: { enum: ['starting', 'running', 'down', 'closed'] },
      info: object({ name: text, version: text }),
      era: { enum: ['legacy', 'modern'] },
      starts: { type: 'number' },
      problem: text,
      nextStartAt: { type: 'string', format: 'date-time' },
      pid: { type: 'number' },
      lastLines: { ...texts, description: 'What it wrote last to its standard error.' },
      tools: { type: 'array', items: tool },
    },
    ['name', 'status', 'starts', 'lastLines', 'tools'],
  ),
};

/** The routes that show the servers behind a gateway, and accept changed tools. Both tell and do what concerns all tenants. */
export const gatewayRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/inspector/gateway',
    scope: 'admin',
    run(request, server) {
      const gateway = find(request, server);
      return isAnswer(gateway) ? gateway : encodeJson(traceOf(request.head), { servers: serversOf(gateway) });
    },
    docs: describe(
      'Inspector',
      'listGatewayServers',
      'List the servers behind the gateway',
      'With their tools, and what has changed in them.',
      { gives: ['The servers.', object({ servers }, ['servers'])], fails: [404] },
    ),
  },
  {
    method: 'POST',
    path: '/v1/inspector/gateway/accept',
    scope: 'admin',
    read: 'json',
    async run(request, server) {
      const gateway = find(request, server);
      if (isAnswer(gateway)) return gateway;
      const { tools } = isRecord(request.value) ? request.value : {};
      if (!Array.isArray(tools) || !tools.every(isAcceptedTool))
        return server.refuse(
          request,
          'invalid_input',
          'The body must be { "tools": [{ "name": …, "fingerprint": … }] }, with the tools whose change is accepted.',
        );
      const accepted = await gateway.accept(tools);
      return encodeJson(traceOf(request.head), { accepted, servers: serversOf(gateway) });
    },
    docs: describe(
      'Inspector',
      'acceptTools',
      'Accept changed tools as they are now',
      'A tool that has changed again since, and so has another `drift.fingerprint`, is left as it is.',
      {
        body: [
          'The tools, by their names in the gateway.',
          object({ tools: { type: 'array', items: object({ name: text, fingerprint: text }, ['name', 'fingerprint']) } }, ['tools']),
          {
            tools: [{ name: 'files:read_file', fingerprint: '0f2c6a1e9b7d4c358a6f1e2d3c4b5a69' }],
          },
        ],
        gives: ['Those that were accepted.', object({ accepted: texts, servers }, ['accepted', 'servers'])],
        fails: [400, 404],
      },
    ),
  },
];

function isAcceptedTool(given: unknown): given is Required<AcceptedTool> {
  return isRecord(given) && typeof given.name === 'string' && typeof given.fingerprint === 'string';
}

function find(request: RouteRequest, { toolbox, refuse }: ServerState): GatewayAccess | HttpAnswer {
  return gatewayOf(toolbox) ?? refuse(request, 'not_found', 'This server is not a gateway.');
}

function serversOf(gateway: GatewayAccess): readonly GatewayServer[] {
  return gateway.servers();
}
