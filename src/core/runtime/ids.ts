// Ids are a random prefix drawn once per process and a counter, whose last three digits come from a table: making one is a concatenation.
const lastDigits = Array.from({ length: 4096 }, (_, value) => value.toString(16).padStart(3, '0'));
let invocationPrefix = '';
let tracePrefix = '';
let invocationHead = '';
let traceHead = '';
let turns = 0;
let next = 4096;

/** Gives the next UUIDv7-shaped invocation id. */
export function createInvocationId(): string {
  if (next === 4096) turn();
  const id = invocationHead + lastDigits[next];
  next += 1;
  return id;
}

/** Gives the trace id, 32 hex digits, that belongs to the invocation id made last. */
export function lastTraceId(): string {
  return traceHead + lastDigits[next - 1];
}

/** Gives a trace id for a call that brought its own invocation id. */
export function createTraceId(): string {
  createInvocationId();
  return lastTraceId();
}

function turn(): void {
  // Drawn on first use, not on load: edge workers forbid randomness while a module loads.
  if (invocationPrefix === '') draw();
  const digits = turns.toString(16).padStart(9, '0');
  invocationHead = invocationPrefix + digits;
  traceHead = tracePrefix + digits;
  turns += 1;
  next = 0;
}

function draw(): void {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = Array.from(crypto.getRandomValues(new Uint16Array(7)), (word) => word.toString(16).padStart(4, '0'));
  invocationPrefix = `${time.slice(0, 8)}-${time.slice(8)}-7${random[0]?.slice(1)}-8${random[1]?.slice(1)}-`;
  tracePrefix = random.slice(2).join('');
}
