import { isTakenImage } from '../../../core/dialects/index.ts';
import { type Content, isOutcome, type Outcome } from '../../../core/outcome/index.ts';
import { type ModelDialect, textFor } from '../frameworks/tell-model.ts';
import { toPlainText } from '../frameworks/to-plain-text.ts';

/** What the AI SDK sends to a model about one call. */
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
 * Gives an outcome in the form the AI SDK sends to models, with its native flag and with all blocks that are more than text. A stored
 * conversation may hold results from before the tool was Toolpact's; they are passed on as they are.
 */
export function toModelOutput(outcome: Outcome, dialect?: ModelDialect): AiSdkOutput {
  if (!isOutcome(outcome)) return { type: 'text', value: toPlainText(outcome) };
  const value = textFor(outcome, dialect);
  if (outcome.status === 'error') {
    return outcome.error.kind === 'denied' ? { type: 'execution-denied', reason: value } : { type: 'error-text', value };
  }
  const blocks = outcome.status === 'pending' ? [] : (outcome.content ?? []);
  const parts = blocks.flatMap(toPart);
  return parts.length === 0 ? { type: 'text', value } : { type: 'content', value: [{ type: 'text', text: value }, ...parts] };
}

/** What the text does not contain already. */
function toPart(block: Content): AiSdkPart[] {
  switch (block.type) {
    case 'text':
      return [];
    case 'image':
      // One image that its provider does not take, and the whole request is refused.
      return isTakenImage(block) ? [file(block.mimeType, block.data)] : [{ type: 'text', text: `[image: ${block.mimeType}, not shown]` }];
    case 'audio':
      return [file(block.mimeType, block.data)];
    case 'resource':
      if (block.text !== undefined) return [];
      return block.data === undefined
        ? [{ type: 'text', text: `[resource: ${block.uri}]` }]
        : [
            {
              ...file(block.mimeType ?? 'application/octet-stream', block.data),
              filename: block.uri.slice(block.uri.lastIndexOf('/') + 1),
            },
          ];
  }
}

function file(mediaType: string, data: string): Extract<AiSdkPart, { type: 'file' }> {
  return { type: 'file', mediaType, data: { type: 'data', data } };
}
