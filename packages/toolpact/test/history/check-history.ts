import type { HistoryProvider } from '../../src/history/transcript.ts';

/** A message of any provider, read by name. */
// biome-ignore lint/suspicious/noExplicitAny: what is checked here has any shape.
type Any = any;

/** Says what a provider would refuse about a message list, by the rules it documents and the errors it is known for. */
export function checkHistory(messages: readonly unknown[], provider: HistoryProvider): string[] {
  return checks[provider](messages as readonly Any[]);
}

const checks: Readonly<Record<HistoryProvider, (messages: readonly Any[]) => string[]>> = {
  openai(messages) {
    const problems: string[] = [];
    const seen = new Set<string>();
    let open = new Set<string>();
    messages.forEach((message, at) => {
      if (message.role === 'tool') {
        if (!(typeof message.content === 'string' || message.content?.length > 0)) problems.push(`${at}: no content`);
        if (!open.delete(message.tool_call_id))
          problems.push(`${at}: a tool message must be a response to a preceding message with tool_calls`);
        return;
      }
      if (open.size > 0) problems.push(`${at}: no response to ${[...open]}`);
      open = new Set();
      if (message.role !== 'assistant') return;
      if (message.tool_calls === undefined ? !message.content : message.tool_calls.length === 0) problems.push(`${at}: empty`);
      for (const { id, function: called } of message.tool_calls ?? []) {
        if (typeof id !== 'string' || id === '' || id.length > 40 || seen.has(id)) problems.push(`${at}: bad id ${id}`);
        if (!isObjectText(called.arguments)) problems.push(`${at}: arguments ${called.arguments}`);
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(called.name)) problems.push(`${at}: bad name ${called.name}`);
        seen.add(id);
        open.add(id);
      }
    });
    return open.size > 0 ? [...problems, `end: no response to ${[...open]}`] : problems;
  },

  'openai-responses'(items) {
    const problems: string[] = [];
    const answered = new Map<string, number>();
    items.forEach((item, at) => {
      const next = items[at + 1];
      if (item.type === 'reasoning' && !(next?.type === 'function_call' || next?.type === 'reasoning' || next?.role === 'assistant'))
        problems.push(`${at}: reasoning without its required following item`);
      if (item.role === 'assistant' && item.content.length === 0) problems.push(`${at}: empty`);
      if (item.type === 'function_call') {
        if (!item.call_id || item.call_id.length > 64 || answered.has(item.call_id)) problems.push(`${at}: bad id ${item.call_id}`);
        if (!isObjectText(item.arguments)) problems.push(`${at}: arguments ${item.arguments}`);
        if (!/^[a-zA-Z0-9_-]{1,128}$/.test(item.name)) problems.push(`${at}: bad name ${item.name}`);
        answered.set(item.call_id, 0);
      }
      if (item.type === 'function_call_output') {
        if (!answered.has(item.call_id)) problems.push(`${at}: no tool call found for function call output ${item.call_id}`);
        answered.set(item.call_id, (answered.get(item.call_id) ?? 0) + 1);
      }
    });
    return [...problems, ...[...answered].flatMap(([id, count]) => (count === 1 ? [] : `${count} outputs for ${id}`))];
  },

  anthropic(messages) {
    const problems: string[] = [];
    const seen = new Set<string>();
    let calls: string[] = [];
    messages.forEach(({ role, content }, at) => {
      if (role !== (at % 2 === 0 ? 'user' : 'assistant')) problems.push(`${at}: roles must alternate and begin with user`);
      const blocks: readonly Any[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      if (blocks.length === 0) problems.push(`${at}: must have non-empty content`);
      if (blocks.some(({ type, text }) => type === 'text' && text.trim() === ''))
        problems.push(`${at}: text content blocks must be non-empty`);
      const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id);
      if (role === 'assistant' && results.length > 0) problems.push(`${at}: tool_result in an assistant message`);
      if (!sameMembers(results, calls)) problems.push(`${at}: tool_result ${results} for tool_use ${calls}`);
      if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
        problems.push(`${at}: tool_result blocks must come first`);
      calls = [];
      for (const { type, id, name, input } of blocks) {
        if (type !== 'tool_use') continue;
        if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) problems.push(`${at}: bad name ${name}`);
        if (role !== 'assistant') problems.push(`${at}: tool_use in a user message`);
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(id) || seen.has(id)) problems.push(`${at}: bad id ${id}`);
        if (!isObject(input)) problems.push(`${at}: input ${input}`);
        seen.add(id);
        calls.push(id);
      }
      if (role === 'assistant' && /thinking/.test(blocks.at(-1)?.type)) problems.push(`${at}: the final block cannot be thinking`);
    });
    return calls.length > 0 ? [...problems, `end: tool_use without tool_result ${calls}`] : problems;
  },

  gemini(contents) {
    const problems: string[] = [];
    const seen = new Set<string>();
    let calls: string[] = [];
    contents.forEach(({ role, parts }: Any, at) => {
      if (at === 0 && role === 'model') problems.push('must begin with user');
      if (!(parts?.length > 0) || parts.every((part: Any) => part.text === '')) problems.push(`${at}: empty`);
      const results = parts.flatMap(({ functionResponse: part }: Any) => (part === undefined ? [] : `${part.id} ${part.name}`));
      if (role === 'model' && results.length > 0) problems.push(`${at}: functionResponse in a model turn`);
      if (!sameMembers(results, calls))
        problems.push(`${at}: ${results.length} function responses for ${calls.length} calls: ${results} for ${calls}`);
      calls = [];
      for (const { functionCall: call } of parts) {
        if (call === undefined) continue;
        if (role !== 'model') problems.push(`${at}: functionCall in a user turn`);
        if (contents[at - 1]?.role === 'model')
          problems.push(`${at}: a function call turn comes after a user turn or a function response turn`);
        if (!/^[a-zA-Z0-9_.:-]{1,128}$/.test(call.name)) problems.push(`${at}: bad name ${call.name}`);
        if (call.args !== undefined && !isObject(call.args)) problems.push(`${at}: args ${call.args}`);
        if (call.id !== undefined && seen.has(call.id)) problems.push(`${at}: bad id ${call.id}`);
        seen.add(call.id);
        calls.push(`${call.id} ${call.name}`);
      }
    });
    return calls.length > 0 ? [...problems, `end: no responses for ${calls}`] : problems;
  },

  'ai-sdk'(messages) {
    const problems: string[] = [];
    const seen = new Set<string>();
    let open = new Set<string>();
    messages.forEach(({ role, content }: Any, at) => {
      if (content.length === 0) problems.push(`${at}: empty`);
      const parts: readonly Any[] = typeof content === 'string' ? [] : content;
      if (role !== 'tool' && open.size > 0) problems.push(`${at}: no result for ${[...open]}`);
      if (role !== 'tool') open = new Set();
      for (const { type, toolCallId: id, input } of parts) {
        if (type === 'tool-result' && (role !== 'tool' || !open.delete(id))) problems.push(`${at}: result without call ${id}`);
        if (type !== 'tool-call') continue;
        if (!id || seen.has(id)) problems.push(`${at}: bad id ${id}`);
        if (!isObject(input)) problems.push(`${at}: input ${input}`);
        seen.add(id);
        open.add(id);
      }
    });
    return open.size > 0 ? [...problems, `end: no result for ${[...open]}`] : problems;
  },
};

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObjectText(text: unknown): boolean {
  try {
    return isObject(JSON.parse(text as string));
  } catch {
    return false;
  }
}

function sameMembers(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
}
