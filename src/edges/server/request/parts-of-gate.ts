import type { CallContext } from '../../../core/contract/index.ts';
import type { ServedToolbox, ServerParts } from '../server-options.ts';
import { encodeOutcome } from './encode-outcome.ts';
import type { Gate } from './gate.ts';
import { usualFormOf } from './refusal.ts';
import { type Answer, toAsked, toResponse } from './request-head.ts';
import { selectForm, usualForms } from './response-format.ts';

/** Gives the gate in terms of the fetch API, for routes. */
export function toParts(gate: Gate): ServerParts {
  const { toolbox, settings, refuse, inFlight, identify, permit, contextOf } = gate;
  const bound = new Map<string, ServedToolbox>();
  return {
    toolbox,
    options: settings,
    identify: async (request) => asResponse(await identify(toAsked(request))),
    toolboxOf({ tenantId }) {
      const known = bound.get(tenantId);
      if (known !== undefined) return known;
      const own = toolbox.with({ tenantId });
      if (bound.size >= 256) bound.clear();
      bound.set(tenantId, own);
      return own;
    },
    permit: (request, identity, name) => asResponse(permit(toAsked(request), identity, name)),
    contextOf(request, identity, body) {
      const read = contextOf(toAsked(request), identity, body);
      return 'status' in read ? toResponse(read) : (read.context as CallContext);
    },
    async readJson(request) {
      const asked = toAsked(request);
      const read = await gate.readBody(request);
      return 'value' in read ? read : toResponse(refuse(asked, read.kind, read.message, read.options));
    },
    respond(request, outcome, usual) {
      const asked = toAsked(request);
      const name = usual ?? usualFormOf(asked);
      return toResponse(encodeOutcome(outcome, selectForm(asked, name) ?? usualForms[name]));
    },
    json: (_, value, status = 200) => Response.json(value, { status }),
    refuse: (request, kind, message, options) => toResponse(refuse(toAsked(request), kind, message, options)),
    inFlight,
    direct: [],
    readiness: [],
    closers: [],
  };
}

function asResponse<TValue>(value: TValue | Answer): Exclude<TValue, Answer> | Response {
  return typeof value === 'object' && value !== null && 'body' in value ? toResponse(value as Answer) : (value as Exclude<TValue, Answer>);
}
