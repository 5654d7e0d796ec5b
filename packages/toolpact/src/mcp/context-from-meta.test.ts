import { expect, test } from 'vitest';
import { contextFromMeta } from './context-from-meta.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

test.each<[string, Record<string, unknown>, object]>([
  ['a trace parent', { traceparent: `00-${trace}-00f067aa0ba902b7-01` }, { traceId: trace }],
  ['a trace parent of a later version', { traceparent: `01-${trace}-00f067aa0ba902b7-01-more` }, { traceId: trace }],
  ['an empty trace', { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }, {}],
  ['no trace parent', { traceparent: 'hello' }, {}],
  ['a trace id of our own', { 'toolpact/trace-id': 'trace-7' }, { traceId: 'trace-7' }],
  [
    'both, of which the standard one counts',
    { traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'toolpact/trace-id': 'x' },
    { traceId: trace },
  ],
  ['an idempotency key', { 'toolpact/idempotency-key': 'order-1' }, { idempotencyKey: 'order-1' }],
  ['a call id', { 'toolpact/call-id': 'call-1' }, { callId: 'call-1' }],
  ['values of the wrong type', { traceparent: 5, 'toolpact/idempotency-key': {}, 'toolpact/call-id': '' }, {}],
  ['values without measure', { 'toolpact/idempotency-key': 'x'.repeat(513) }, {}],
  ['keys that a client must not set', { tenantId: 'acme', userId: 'root', auth: {} }, {}],
])('reads %s', (_, meta, context) => expect(contextFromMeta(meta)).toEqual(context));
