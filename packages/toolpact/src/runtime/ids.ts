// Ids are a random prefix drawn once per process and a counter, whose last three digits come from a table: making one is a concatenation.
const lastDigits = Array.from({ length: 4096 }, (_, value) => toHex(value, 3));
let invocationPrefix = '';
let tracePrefix = '';
let invocationHead = '';
let traceHead = '';
let turns = 0;
let next = 4096;

/** Returns the next UUIDv7-shaped invocation id. */
export function createInvocationId(): string {
  if (next === 4096) turn();
  const id = invocationHead + lastDigits[next];
  next += 1;
  return id;
}

/** Returns the trace id, 32 hex digits, that belongs to the invocation id made last. */
export function lastTraceId(): string {
  return traceHead + lastDigits[next - 1];
}

function turn(): void {
  // Drawn on first use, not on load: edge workers forbid randomness while a module loads.
  if (invocationPrefix === '') {
    const time = toHex(Date.now(), 12);
    const random = Array.from(crypto.getRandomValues(new Uint8Array(13)), (byte) => toHex(byte, 2)).join('');
    invocationPrefix = `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-`;
    tracePrefix = random.slice(6);
  }
  const digits = toHex(turns, 9);
  invocationHead = invocationPrefix + digits;
  traceHead = tracePrefix + digits;
  turns += 1;
  next = 0;
}

function toHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
