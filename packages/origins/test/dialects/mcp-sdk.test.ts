import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { mcp } from 'toolpact/dialects';
import { expect, test } from 'vitest';
import { sampleOutcomes } from '../../../../proofs/suites/dialects/sample-outcomes.ts';

/** Judges MCP output by the protocol's own schema. */

// The SDK takes keys named __proto__ out of structured content, so those do not come through.
const outcomes = sampleOutcomes.filter((outcome) => !JSON.stringify(outcome).includes('"__proto__"'));

test.each([true, false])('every outcome is a CallToolResult that the SDK passes on whole, strict: %s', (strict) => {
  for (const outcome of outcomes) {
    const result: unknown = JSON.parse(JSON.stringify(mcp.encode(outcome, { strict })));
    const passed: unknown = JSON.parse(JSON.stringify(CallToolResultSchema.parse(result)));
    expect(mcp.decode(passed)).toEqual(mcp.decode(result));
    if (!strict) expect(mcp.decode(passed)).toEqual({ ok: true, outcome });
  }
});
