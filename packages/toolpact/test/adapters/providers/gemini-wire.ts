import { event, type ModelTurn, pieces, type Wire } from './wire.ts';

interface Part {
  readonly text?: string;
  readonly inlineData?: { readonly data: string; readonly mimeType: string };
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: unknown };
  readonly functionResponse?: { readonly id?: string; readonly name?: string; readonly response?: { output?: unknown; error?: unknown } };
}
interface Body {
  readonly contents: readonly { readonly role?: string; readonly parts: readonly Part[] }[];
}

const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
const finish = ({ isCut }: ModelTurn) => (isCut ? 'MAX_TOKENS' : 'STOP');

/** Gemini gives arguments as a value; what is no JSON comes as the text itself, as some proxies send it. */
function argsOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** A call without an id is told by its name and place. */
const keyOf = (id: string | undefined, name: string | undefined, index: number) => id ?? `${name}#${index}`;
const callParts = ({ calls = [] }: ModelTurn) =>
  calls.map(({ id, name, json }) => ({ functionCall: { ...(id !== '' && { id }), name, args: argsOf(json) }, thoughtSignature: 'c2ln' }));
const chunk = (parts: readonly object[], more: object = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
  modelVersion: 'gemini-3',
  responseId: 'r-1',
  usageMetadata,
});
const functionsIn = (parts: readonly Part[]) => parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
const responsesIn = (parts: readonly Part[]) =>
  parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse]));

/** Gemini's generateContent. */
export const geminiWire: Wire = {
  toJson: (turn) => chunk([...(turn.text === undefined ? [] : [{ text: turn.text }]), ...callParts(turn)], { finishReason: finish(turn) }),
  toEvents: (turn) => [
    ...pieces(turn.text ?? '').map((text) => event(chunk([{ text }]))),
    ...callParts(turn).map((part) => event(chunk([part]))),
    event(chunk([{ text: '' }], { finishReason: finish(turn) })),
  ],
  toError: (status, message) => {
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' };
    return {
      error: { code: status, message, ...(status === 429 ? { status: 'RESOURCE_EXHAUSTED', details: [retry] } : { status: 'INTERNAL' }) },
    };
  },
  check({ contents }: Body) {
    for (const [index, { role, parts }] of contents.entries()) {
      if (!Array.isArray(parts) || parts.length === 0) return `contents[${index}].parts must not be empty`;
      if (role !== 'user' && role !== 'model') return `contents[${index}]: valid roles are user and model`;
      const asked = functionsIn(contents[index - 1]?.parts ?? []).map(({ id, name }) => `${id}/${name}`);
      const answered = responsesIn(parts).map(({ id, name }) => `${id}/${name}`);
      if (asked.join() !== answered.join()) return `contents[${index}]: function responses must match the calls: ${asked} but ${answered}`;
      const calls = functionsIn(parts);
      const bad = calls.find(
        ({ name, args = {} }) => !/^[\w.:-]{1,128}$/.test(String(name)) || typeof args !== 'object' || args === null || Array.isArray(args),
      );
      if (bad !== undefined) return `contents[${index}]: ${JSON.stringify(bad)} is not valid`;
      if (calls.length > 0 && index === contents.length - 1) return `contents[${index}]: function calls without responses`;
      if (responsesIn(parts).some(({ response }) => typeof response !== 'object' || response === null))
        return 'a response must be an object';
    }
    return undefined;
  },
  told: ({ contents }: Body) =>
    Object.fromEntries(
      contents
        .flatMap(({ parts }) =>
          responsesIn(parts).map((response) => ({ ...response, shown: shownBy(parts, response.id ?? response.name) })),
        )
        .map(({ id, name, response = {}, shown }, index) => {
          const said = response.error ?? response.output;
          const text = typeof said === 'string' ? said : JSON.stringify(said);
          return [keyOf(id, name, index), { text: [text, ...shown].join('\n'), failed: response.error !== undefined }];
        }),
    ),
  argumentsIn: ({ contents }: Body) =>
    Object.fromEntries(
      contents.flatMap(({ parts }) => functionsIn(parts)).map(({ id, name, args }, index) => [keyOf(id, name, index), args]),
    ),
};

/** The pictures and sounds that follow the responses, under a line that says whose they are. */
function shownBy(parts: readonly Part[], call = ''): string[] {
  const start = parts.findIndex(({ text }) => text?.startsWith('Shown by ') === true && text.includes(call));
  const after = start < 0 ? [] : parts.slice(start + 1);
  const end = after.findIndex(({ inlineData }) => inlineData === undefined);
  return (end < 0 ? after : after.slice(0, end)).map(({ inlineData }) => JSON.stringify(inlineData));
}
