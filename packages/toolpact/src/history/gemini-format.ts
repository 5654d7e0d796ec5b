import { gemini } from '../dialects/index.ts';
import { contentFormat } from './content-format.ts';
import { fieldsOf, fitted, idOf, isBlank, textOf, toText } from './fields.ts';
import type { Fields, Format, Side } from './transcript.ts';

const sides: Readonly<Record<string, Side>> = { model: 'model', user: 'user', function: 'user', tool: 'user' };

/** Gemini's contents: a turn with function calls follows the user and is followed by as many responses. Ids may be missing. */
export const geminiFormat: Format = contentFormat({
  key: 'parts',
  argsOptional: true,
  idsOptional: true,
  opensWithUser: true,
  cutsAtUser: true,
  fitId: (id) => fitted(id, 64),
  fitName: (name) => fitted(name, 128, /[^a-zA-Z0-9_.:-]/g),
  joins: (before, after) =>
    before.side === after.side &&
    before.side !== 'other' &&
    (before.side === 'model' || before.source === after.source || (before.turn !== undefined && before.turn === after.turn)),
  sideOf({ role, parts }) {
    if (role === undefined) return Array.isArray(parts) ? 'user' : 'other';
    return (typeof role === 'string' && Object.hasOwn(sides, role) && sides[role]) || 'other';
  },
  readCall(part) {
    const call = fieldsOf(part.functionCall);
    return call && { id: idOf(call.id), name: textOf(call.name), args: call.args };
  },
  readResult(part) {
    const response = fieldsOf(part.functionResponse);
    return response && { id: idOf(response.id), name: textOf(response.name), content: response.response };
  },
  healContent: ({ content }) => (fieldsOf(content) === undefined ? { output: content ?? '' } : content),
  withContent: (part, response) => ({ ...part, functionResponse: { ...fieldsOf(part.functionResponse), response } }),
  isVoid: () => false,
  isSubstance: ({ text, thought, thoughtSignature, ...others }) =>
    !isBlank(text) || thoughtSignature !== undefined || Object.keys(others).length > 0,
  writeCall: (part, call) => ({
    ...part,
    functionCall: { ...fieldsOf(part.functionCall), ...withId(call), name: call.name, ...withArgs(call) },
  }),
  writeResult({ part }, call) {
    const { id: _, ...stored } = fieldsOf(part.functionResponse) ?? {};
    return { ...part, functionResponse: { ...withId(call), ...stored, ...(call.name !== undefined && { name: call.name }) } };
  },
  toResult(call, outcome) {
    const { functionResponse } = gemini.encode(outcome, { strict: true, callId: call.id, name: call.name ?? '' });
    const { id: _, ...response } = functionResponse;
    return { functionResponse: { ...withId(call), ...response } };
  },
  toParts({ content, part }) {
    const media = fieldsOf(part.functionResponse)?.parts;
    return [toText(content ?? ''), ...(Array.isArray(media) ? media : [])];
  },
  toTextPart: (text) => ({ text }),
  frameOf: ({ side }) => ({ role: side === 'model' ? 'model' : 'user' }),
});

function withId({ id }: { readonly id: string }): Fields {
  return id === '' ? {} : { id };
}

function withArgs({ healedArgs }: { readonly healedArgs?: unknown }): Fields {
  return healedArgs === undefined ? {} : { args: healedArgs };
}
