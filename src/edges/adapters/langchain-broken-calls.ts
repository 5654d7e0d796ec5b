import { type LangchainCall, type LangchainMessage, loadCore } from './langchain-core.ts';

/** Under this name arguments travel that are no JSON, because histories and providers take objects only. */
const carrier = 'unreadable_arguments';

/**
 * Gives a model's message with its unreadable calls among the others, so that they are answered. LangChain keeps calls whose arguments
 * are no JSON apart, where no tool sees them, and takes a message that has no others for the end of the run.
 *
 * @example
 * const model = chatModel.bindTools(tools).pipe(mendCalls);
 */
export async function mendCalls<TMessage extends object>(message: TMessage): Promise<TMessage> {
  const { invalid_tool_calls: broken = [], tool_calls = [], content, ...rest } = message as LangchainMessage;
  if (broken.length === 0) return message;
  const mended = broken.map(({ id, name, args }, index) => ({
    type: 'tool_call',
    id: id ?? `${rest.id ?? 'call'}-${index}`,
    name: name ?? '',
    args: { [carrier]: args ?? '' },
  }));
  const { AIMessage } = await loadCore();
  const { additional_kwargs, response_metadata, usage_metadata, name } = rest as Readonly<Record<string, unknown>>;
  return new AIMessage({
    id: rest.id,
    name,
    content: Array.isArray(content) ? content.filter(({ type }) => type !== 'invalid_tool_call') : content,
    additional_kwargs,
    response_metadata,
    usage_metadata,
    tool_calls: [...tool_calls, ...mended],
    invalid_tool_calls: [],
  }) as TMessage;
}

/** Gives the text of arguments that are no JSON, or undefined where they were readable. */
export function brokenArguments({ args }: Pick<LangchainCall, 'args'>): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined;
  const [first, ...others] = Object.entries(args);
  return first?.[0] === carrier && others.length === 0 && typeof first[1] === 'string' ? first[1] : undefined;
}

/** Gives arguments as the model sent them. */
export function sentArguments(args: unknown): unknown {
  return brokenArguments({ args }) ?? args;
}
