/** Things that come over wires and are no envelope of any dialect. Each is made anew, because some are large. */
export const hostileEnvelopes: readonly (readonly [title: string, make: () => unknown])[] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['a boolean', () => true],
  ['a number', () => 42],
  ['a text', () => '{"success":true}'],
  ['a list', () => [{}]],
  ['an empty object', () => ({})],
  ['an object of another world', () => ({ jsonrpc: '2.0', id: 1, result: {} })],
  ['a function', () => () => undefined],
  ['a date', () => new Date(0)],
  ['an object that refers to itself', cyclic],
  ['an object 10,000 levels deep', () => deep(10_000)],
  ['a getter that throws', throwing],
  ['a prototype of someone else', () => Object.create({ success: true, error: null })],
];

function cyclic(): unknown {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

function deep(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}

function throwing(): unknown {
  return Object.defineProperty({}, 'success', {
    enumerable: true,
    get() {
      throw new Error('no');
    },
  });
}
