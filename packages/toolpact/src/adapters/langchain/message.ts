import type { Outcome } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { type ShownBlock, shownBlocks } from '../frameworks/shown-blocks.ts';
import { textFor } from '../frameworks/tell-model.ts';
import { type LangchainCall, type LangchainMessage, loadCore } from './core.ts';

/** Message content about one call: text, or text and media. */
export type LangchainContent = string | LangchainBlock[];

/** A content block in the form that LangChain's providers take in tool messages. */
export type LangchainBlock =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'audio' | 'file'; source_type: 'base64'; mime_type: string; data: string };

/** Returns an outcome as a tool message: flagged where the call failed, with the whole outcome as its artifact. */
export async function toToolMessage(
  outcome: Outcome,
  call: Pick<LangchainCall, 'id' | 'name'>,
  dialect?: ModelDialect,
): Promise<LangchainMessage> {
  const { ToolMessage } = await loadCore();
  return new ToolMessage({
    content: toContent(outcome, dialect),
    tool_call_id: call.id ?? '',
    name: call.name,
    status: outcome.status === 'error' ? 'error' : 'success',
    artifact: outcome,
  });
}

/** Returns what a model should read, see and hear of an outcome. */
export function toContent(outcome: Outcome, dialect?: ModelDialect): LangchainContent {
  const text = textFor(outcome, dialect);
  const blocks = shownBlocks(outcome).map(toBlock);
  return blocks.length === 0 ? text : [{ type: 'text', text }, ...blocks];
}

function toBlock(block: ShownBlock): LangchainBlock {
  if (block.type === 'note') return { type: 'text', text: block.text };
  const { type, mimeType, data } = block;
  if (type === 'image') return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } };
  return { type: type === 'audio' ? 'audio' : 'file', source_type: 'base64', mime_type: mimeType, data };
}
