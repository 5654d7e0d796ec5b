import fc from 'fast-check';
import type { HistoryProvider } from '../../src/history/transcript.ts';

/** A conversation before it is written down for anybody. Every text and every call occurs once. */
export type Step =
  | { readonly who: 'user' | 'model'; readonly text: string }
  | { readonly who: 'tools'; readonly text: string | undefined; readonly calls: readonly StepCall[] };

interface StepCall {
  readonly id: string;
  readonly name: string;
  readonly args: { readonly mark: string };
  readonly result: string;
}

export type Message = Record<string, unknown>;

/** Every form a conversation can be written in. Gemini has two: it may leave ids out. */
export const forms = {
  openai: { provider: 'openai', write: writeChat },
  'openai-responses': { provider: 'openai-responses', write: writeResponses },
  anthropic: { provider: 'anthropic', write: writeAnthropic },
  gemini: { provider: 'gemini', write: (steps) => writeGemini(steps, true) },
  'gemini without ids': { provider: 'gemini', write: (steps) => writeGemini(steps, false) },
  'ai-sdk': { provider: 'ai-sdk', write: writeAiSdk },
} as const satisfies Record<string, { provider: HistoryProvider; write: (steps: readonly Step[]) => Message[] }>;

/** Any conversation that a provider accepts: the user asks, the model calls tools in parallel, several times, and answers. */
export const anyConversation: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.record({
      turns: fc.array(
        fc.record({ speaks: fc.boolean(), tools: fc.array(fc.constantFrom('find', 'send'), { minLength: 1, maxLength: 4 }) }),
        { maxLength: 3 },
      ),
      answers: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((rounds) => {
    let count = 0;
    return rounds.flatMap(({ turns, answers }, round): Step[] => [
      { who: 'user', text: `question-${round}.` },
      ...turns.map(({ speaks, tools }): Step => {
        const calls = tools.map((name): StepCall => {
          count += 1;
          return { id: `call_${count}`, name, args: { mark: `args-${count}.` }, result: `result-${count}.` };
        });
        return { who: 'tools', text: speaks ? `thought-${count}.` : undefined, calls };
      }),
      ...(answers || round < rounds.length - 1 ? [{ who: 'model' as const, text: `answer-${round}.` }] : []),
    ]);
  });

/** Something that happens to stored histories. Numbers pick the place. */
export interface Damage {
  readonly kind: (typeof damages)[number];
  readonly at: number;
  readonly to: number;
}

const damages = [
  'delete',
  'deletePart',
  'cutHead',
  'cutTail',
  'repeat',
  'repeatPart',
  'swap',
  'move',
  'reuseId',
  'malform',
  'misname',
  'empty',
] as const;

export const anyDamage: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...damages), at: fc.nat(1000), to: fc.nat(1000) }),
  { minLength: 1, maxLength: 6 },
);

/** Does the damage to a copy. */
export function damage(messages: readonly Message[], all: readonly Damage[]): Message[] {
  let list = structuredClone(messages) as Message[];
  for (const { kind, at, to } of all) {
    if (list.length === 0) break;
    const [from, target] = [at % list.length, to % list.length];
    const message = list[from] as Message;
    const parts = partsOf(message);
    const edits: Record<Damage['kind'], () => void> = {
      delete: () => list.splice(from, 1),
      deletePart: () => parts?.splice(to % parts.length, 1),
      cutHead: () => list.splice(0, from),
      cutTail: () => list.splice(from + 1),
      repeat: () => list.splice(target, 0, structuredClone(message)),
      repeatPart: () => parts?.push(structuredClone(parts[to % parts.length])),
      swap: () => ([list[from], list[target]] = [list[target] as Message, message]),
      move: () => list.splice(target, 0, ...list.splice(from, 1)),
      reuseId: () => {
        const [some, other] = [`call_${1 + (at % 6)}`, `call_${1 + (to % 6)}`];
        list = JSON.parse(JSON.stringify(list).replaceAll(`"${some}"`, `"${other}"`));
      },
      malform: () => {
        list[from] = malform(message);
      },
      misname: () => {
        list[from] = JSON.parse(JSON.stringify(message).replaceAll('"find"', at % 2 === 0 ? '"fs.find it"' : '""'));
      },
      empty: () => {
        if (message.role === 'assistant' || message.role === 'model') list.splice(from, 0, emptied(message));
      },
    };
    edits[kind]();
  }
  return list;
}

function partsOf(message: Message): unknown[] | undefined {
  return [message.tool_calls, message.content, message.parts].find((list) => Array.isArray(list) && list.length > 0) as
    | unknown[]
    | undefined;
}

/** Cuts arguments off, as a stream that ends too early does. */
function malform(message: Message): Message {
  const text = JSON.stringify(message)
    .replace(/"arguments":"(.*?)\}"/, '"arguments":"$1"')
    .replace(/"(input|args)":(\{"mark":"(.*?)"\})/, '"$1":"{\\"mark\\":\\"$3"');
  return JSON.parse(text);
}

function emptied(message: Message): Message {
  return 'parts' in message ? { role: 'model', parts: [{ text: '' }] } : { role: 'assistant', content: '' };
}

function writeChat(steps: readonly Step[]): Message[] {
  return steps.flatMap((step): Message[] => {
    if (step.who !== 'tools') return [{ role: step.who === 'user' ? 'user' : 'assistant', content: step.text }];
    const tool_calls = step.calls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    return [
      { role: 'assistant', content: step.text ?? null, tool_calls },
      ...step.calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
    ];
  });
}

function writeResponses(steps: readonly Step[]): Message[] {
  return steps.flatMap((step): Message[] => {
    if (step.who !== 'tools') {
      if (step.who === 'user') return [{ role: 'user', content: step.text }];
      return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: step.text }] }];
    }
    return [
      ...(step.text === undefined ? [] : [{ type: 'reasoning', id: `rs_${step.calls[0]?.id}`, summary: [] }]),
      ...step.calls.map(({ id, name, args }) => ({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) })),
      ...step.calls.map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result })),
    ];
  });
}

function writeAnthropic(steps: readonly Step[]): Message[] {
  const messages = steps.flatMap((step): Message[] => {
    if (step.who !== 'tools') return [{ role: step.who === 'user' ? 'user' : 'assistant', content: step.text }];
    const thought =
      step.text === undefined
        ? []
        : [
            { type: 'thinking', thinking: 'Hm.', signature: 's' },
            { type: 'text', text: step.text },
          ];
    return [
      {
        role: 'assistant',
        content: [...thought, ...step.calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))],
      },
      { role: 'user', content: step.calls.map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result })) },
    ];
  });
  return messages;
}

function writeGemini(steps: readonly Step[], ids: boolean): Message[] {
  return steps.flatMap((step): Message[] => {
    if (step.who !== 'tools') return [{ role: step.who, parts: [{ text: step.text }] }];
    const own = (id: string) => (ids ? { id } : {});
    return [
      {
        role: 'model',
        parts: [
          ...(step.text === undefined ? [] : [{ text: step.text }]),
          ...step.calls.map(({ id, name, args }) => ({ functionCall: { ...own(id), name, args } })),
        ],
      },
      {
        role: 'user',
        parts: step.calls.map(({ id, name, result }) => ({ functionResponse: { ...own(id), name, response: { output: result } } })),
      },
    ];
  });
}

function writeAiSdk(steps: readonly Step[]): Message[] {
  return steps.flatMap((step): Message[] => {
    if (step.who !== 'tools') return [{ role: step.who === 'user' ? 'user' : 'assistant', content: step.text }];
    return [
      {
        role: 'assistant',
        content: [
          ...(step.text === undefined ? [] : [{ type: 'text', text: step.text }]),
          ...step.calls.map(({ id, name, args }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: args })),
        ],
      },
      {
        role: 'tool',
        content: step.calls.map(({ id, name, result }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: 'text', value: result },
        })),
      },
    ];
  });
}
