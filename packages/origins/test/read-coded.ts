import { type CodedEnvelope, coded, codedToolData } from '@toolpact/origins/coded';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, Outcome } from 'toolpact';
import { expect } from 'vitest';

const ajv = new Ajv2020({ strict: false });
const envelope = ajv.compile(coded.jsonSchema());
const data = Object.fromEntries(Object.entries(codedToolData).map(([name, schema]) => [name, ajv.compile(schema)]));

/**
 * Writes an outcome as the documented envelope, and checks on the way what holds for every answer: the envelope, the shape of its data where
 * there are any, that success and number agree, and that nothing of the inside gets out.
 */
export function readCoded(outcome: Outcome): CodedEnvelope & { data: JsonObject | null } {
  const written = coded.encode(outcome, { strict: true });
  expect(envelope(written), JSON.stringify(envelope.errors)).toBe(true);
  const { code, meta } = written;
  if (written.data !== null) {
    const check = data[meta.tool];
    expect(check?.(written.data), `${JSON.stringify(written.data)} ${JSON.stringify(check?.errors)}`).toBe(true);
  }
  expect(code === 0).toBe(outcome.status === 'ok');
  expect(meta.trace_id).toMatch(/^[0-9a-f]{32}$/);
  expect(JSON.stringify(written)).not.toMatch(/\bat [\w.<]+ \(|node:internal|\/src\/|node_modules|\[Error\]/);
  return written;
}
