import { isOutcome, type Outcome } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { type ShownBlock, shownBlocks } from '../frameworks/shown-blocks.ts';
import { textFor } from '../frameworks/tell-model.ts';
import { toPlainText } from '../frameworks/to-plain-text.ts';

/** Content that the AI SDK sends to a model about one call. */
export type AiSdkOutput =
  | { type: 'text'; value: string }
  | { type: 'error-text'; value: string }
  | { type: 'execution-denied'; reason: string }
  | { type: 'content'; value: AiSdkPart[] };

/** A part of what a model is sent. */
export type AiSdkPart =
  | { type: 'text'; text: string }
  | { type: 'file'; mediaType: string; data: { type: 'data'; data: string }; filename?: string };

/**
 * Returns an outcome in the form the AI SDK sends to models, with its native flag and with all blocks that are more than text. A stored
 * conversation may hold results from before the tool was Toolpact's; they are passed on as they are.
 */
export function toModelOutput(outcome: Outcome, dialect?: ModelDialect): AiSdkOutput {
  if (!isOutcome(outcome)) return { type: 'text', value: toPlainText(outcome) };
  const value = textFor(outcome, dialect);
  if (outcome.status === 'error') {
    return outcome.error.kind === 'denied' ? { type: 'execution-denied', reason: value } : { type: 'error-text', value };
  }
  const parts = shownBlocks(outcome).map(toPart);
  return parts.length === 0 ? { type: 'text', value } : { type: 'content', value: [{ type: 'text', text: value }, ...parts] };
}

function toPart(block: ShownBlock): AiSdkPart {
  if (block.type === 'note') return { type: 'text', text: block.text };
  const { mimeType: mediaType, data } = block;
  const filename = block.type === 'resource' ? { filename: block.uri.slice(block.uri.lastIndexOf('/') + 1) } : undefined;
  return { type: 'file', mediaType, data: { type: 'data', data }, ...filename };
}
