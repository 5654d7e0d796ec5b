import { call, callWith, good, type Row, transfer } from './fault.ts';

const malformed = '{"account": "a-1" "amount": 5}';
export const args: readonly Row[] = [
  [
    'args: missing field',
    transfer(() => 'reached'),
    call({ account: 'a-1' }),
    { kind: 'invalid_input', says: /amount/, misleads: /reached/ },
  ],
  ['args: wrong type', transfer(() => 'reached'), call({ account: 'a-1', amount: 'five' }), { kind: 'invalid_input', says: /amount/ }],
  ['args: extra field', transfer((given) => given), call({ ...good, note: 'surplus' }), { says: /a-1/, not: /surplus/, orFails: /note/ }],
  [
    'args: malformed JSON string',
    transfer(() => 'reached'),
    callWith(malformed),
    { kind: 'invalid_input', says: /JSON|pars|malformed|expected (an )?object/i },
  ],
  [
    'args: null',
    transfer(() => 'reached'),
    call(null),
    { kind: 'invalid_input', says: /null|object|account|required|argument/i, misleads: /could not be parsed|stumbled/i },
  ],
  ['args: array', transfer(() => 'reached'), call([good]), { kind: 'invalid_input', says: /array|object|account|required/i }],
  [
    'args: __proto__ key',
    transfer((given) => ({
      account: given.account,
      isOwn: Object.hasOwn(given, '__proto__'),
      isAdmin: ({} as { admin?: boolean }).admin === true || (given as { admin?: boolean }).admin === true,
    })),
    callWith('{"account":"a-1","amount":5,"__proto__":{"admin":true}}'),
    { says: /a-1/, not: /true/, orFails: /__proto__/ },
  ],
];

export const names: readonly Row[] = [
  [
    'unknown tool name',
    transfer(() => 'reached'),
    call(good, 'refund'),
    { kind: 'unknown_tool', says: /refund|unknown|no (such )?tool|not (found|available|exist)/i },
  ],
  [
    'tool name in wrong case',
    transfer(() => 'moved five'),
    call(good, 'Transfer'),
    { kind: 'unknown_tool', says: /Transfer|unknown|no (such )?tool|not (found|available|exist)/, orSays: /moved five/ },
  ],
];
