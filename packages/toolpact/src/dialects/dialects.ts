import { coded } from '../../../origins/src/coded/coded.ts';
import { flat } from '../../../origins/src/flat/flat.ts';
import { status } from '../../../origins/src/status/status.ts';
import { value } from '../../../origins/src/value/value.ts';
import type { Dialect } from './dialect.ts';
import { mcp } from './mcp.ts';
import { problem } from './problem.ts';
import { anthropic } from './providers/anthropic.ts';
import { gemini } from './providers/gemini.ts';
import { openai } from './providers/openai.ts';

/** Names one of the nine dialects. */
export type DialectName = 'flat' | 'coded' | 'value' | 'status' | 'mcp' | 'openai' | 'anthropic' | 'gemini' | 'problem';

/** All nine dialects by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = Object.freeze({
  flat,
  coded,
  value,
  status,
  mcp,
  openai,
  anthropic,
  gemini,
  problem,
});
