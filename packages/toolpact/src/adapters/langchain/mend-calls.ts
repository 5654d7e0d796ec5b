import { isObject } from '../../json/index.ts';
import { expectArgument } from '../../outcome/index.ts';
import { carry } from '../frameworks/carried-arguments.ts';
import { type LangchainMessage, loadCore } from './core.ts';

/**
 * Returns a model's message with its unreadable calls among the others, so that they are answered. LangChain keeps calls whose arguments
 * are no JSON apart, where no tool sees them, and takes a message that has no others for the end of the run.
 *
 * @example
 * const model = chatModel.bindTools(tools).pipe(mendCalls);
 */
export async function mendCalls<TMessage extends object>(message: TMessage): Promise<TMessage> {
  expectArgument(isObject(message), 'mendCalls takes the message of a model');
  const { invalid_tool_calls: broken = [], tool_calls = [], content, ...rest } = message as LangchainMessage;
  if (broken.length === 0) return message;
  const mended = broken.map(({ id, name, args }, index) => ({
    type: 'tool_call',
    id: id ?? `${rest.id ?? 'call'}-${index}`,
    name: name ?? '',
    args: carry(args ?? ''),
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
