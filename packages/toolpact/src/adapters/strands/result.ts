import { type AnthropicBlock, anthropic } from '../../dialects/index.ts';
import { type Outcome, toToolFailure } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { textOutcome } from '../frameworks/tell-model.ts';

/** The result of a Strands tool: its `ToolResultBlock`, with the failure as `error` for hooks. */
export interface StrandsResult {
  readonly type: 'toolResultBlock';
  readonly toolUseId: string;
  readonly status: 'success' | 'error';
  /** Text, and images and documents in Strands' own form, whose classes cannot be named here. */
  readonly content: StrandsText[];
  readonly error?: Error;
  readonly toJSON: () => { toolResult: { toolUseId: string; status: 'success' | 'error'; content: { text: string }[] } };
}

/** A piece of text in it. */
export interface StrandsText {
  readonly type: 'textBlock';
  readonly text: string;
  readonly toJSON: () => { text: string };
}

/** Writes what the model should read and see of an outcome. */
export function toStrandsResult(outcome: Outcome, toolUseId: string, dialect?: ModelDialect): StrandsResult {
  const { content: given } = anthropic.encode(textOutcome(outcome, dialect), { strict: true, callId: toolUseId });
  const blocks: readonly AnthropicBlock[] = typeof given === 'string' ? [{ type: 'text', text: given }] : given;
  const content = blocks.map((block) => toBlock(block) as StrandsText);
  const status = outcome.status === 'error' ? 'error' : 'success';
  return {
    type: 'toolResultBlock',
    toolUseId,
    status,
    content,
    ...(outcome.status === 'error' && { error: toToolFailure(outcome.error, outcome.data) }),
    toJSON: () => ({ toolResult: { toolUseId, status, content: content.map((block) => block.toJSON()) } }),
  };
}

function toBlock(block: AnthropicBlock): object {
  if (block.type === 'text') {
    const { text } = block;
    return { type: 'textBlock', text, toJSON: () => ({ text }) };
  }
  const { media_type, data } = block.source;
  const format = media_type.slice(media_type.indexOf('/') + 1);
  const bytes = fromBase64(data);
  if (block.type === 'image') {
    const toJSON = (): object => ({ image: { format, source: { bytes: data } } });
    return { type: 'imageBlock', format, source: { type: 'imageSourceBytes', bytes }, toJSON };
  }
  const name = 'document';
  const toJSON = (): object => ({ document: { name, format, source: { bytes: data } } });
  return { type: 'documentBlock', name, format, source: { type: 'documentSourceBytes', bytes }, toJSON };
}

function fromBase64(data: string): Uint8Array {
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}
