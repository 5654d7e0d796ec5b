import type { Hono } from 'hono';
import { streamCall } from '../request/event-stream.ts';
import type { Gate } from '../request/gate.ts';
import { type Admitted, admit, makeAnswer, type ReadyCall, readToolCall } from '../request/make-call.ts';
import { checkBodyHead, parseJson, type ReadJson } from '../request/read-json.ts';
import { type Answer, type Asked, toAsked, toResponse } from '../request/request-head.ts';
import type { DirectRoute, ServerParts } from '../server-options.ts';
import { readExecution } from './execution.ts';

type ReadCall = (gate: Gate, admitted: Admitted, read: ReadJson) => ReadyCall | Answer;

/** Adds the routes that make one call: by the tool's own path, and by the request form of older agents. */
export function addCallRoutes(app: Hono, { direct }: ServerParts, gate: Gate): void {
  direct.push(directCalls(gate, isToolPath, readToolCall), directCalls(gate, isExecutePath, readExecution));
  app.post('/v1/tools/:name', ({ req }) => answerCall(gate, req.raw, readToolCall));
  app.post('/v1/execute', ({ req }) => answerCall(gate, req.raw, readExecution));
}

/** Gives the way on which a Node listener answers plain calls: the same steps, without a `Request` and a `Response`. */
function directCalls(gate: Gate, isPath: (path: string) => boolean, read: ReadCall): DirectRoute {
  return {
    matches: (asked) => asked.method === 'POST' && isPath(asked.path) && asked.header('origin') === undefined && !wantsStream(asked),
    answer(asked, body) {
      const admitted = admit(gate, asked);
      return admitted instanceof Promise ? admitted.then((one) => answerAdmitted(one, body)) : answerAdmitted(admitted, body);
    },
  };

  function answerAdmitted(admitted: Admitted | Answer, body: Uint8Array): Answer | Promise<Answer> {
    if ('body' in admitted) return admitted;
    const { asked } = admitted;
    const ready = read(gate, admitted, checkBodyHead(asked.header, gate.settings) ?? parseJson(body, gate.settings));
    if ('body' in ready) return ready;
    return makeAnswer(gate, ready, asked.signal);
  }
}

const toolPath = '/v1/tools/';

function isToolPath(path: string): boolean {
  return path.startsWith(toolPath) && path.length > toolPath.length && path.indexOf('/', toolPath.length) < 0;
}

function isExecutePath(path: string): boolean {
  return path === '/v1/execute';
}

async function answerCall(gate: Gate, request: Request, read: ReadCall): Promise<Response> {
  const asked = toAsked(request);
  const admitted = await admit(gate, asked);
  if ('body' in admitted) return toResponse(admitted);
  const ready = read(gate, admitted, await gate.readBody(request));
  if ('body' in ready) return toResponse(ready);
  if (wantsStream(asked)) return streamCall(gate, ready);
  return toResponse(await gate.inFlight.run(asked.signal, (signal) => makeAnswer(gate, ready, signal)));
}

function wantsStream({ header }: Asked): boolean {
  return header('accept')?.includes('text/event-stream') === true;
}
