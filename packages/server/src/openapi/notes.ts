import type { JsonObject, JsonValue } from 'toolpact';

/** The meaning of the fields of an outcome, by schema and field; `''` is the schema itself. */
const notes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Outcome: { '': 'What a call ended as, distinguished by `status`.' },
  OkOutcome: {
    '': 'The call did what was asked.',
    status: 'Says that the call succeeded.',
    data: 'The result of the tool.',
    message: 'A note for people and models.',
    content: 'Blocks a model can read, see or hear.',
    input: 'The arguments as received.',
  },
  PartialOutcome: {
    '': 'Some items succeeded and some failed.',
    status: 'Says that the call succeeded in part.',
    data: 'What succeeded.',
    message: 'A note for people and models.',
    content: 'Blocks a model can read, see or hear.',
    failures: 'The items that failed.',
    total: 'How many items there were.',
    input: 'The arguments as received.',
  },
  ErrorOutcome: {
    '': 'The call failed.',
    status: 'Says that the call failed.',
    data: 'What the tool attached to this failure.',
    fallback: 'A default that a caller may show instead of a result. It is not a result.',
    failures: 'The items that failed, where there were several.',
    input: 'The arguments as received.',
  },
  PendingOutcome: {
    '': 'The call waits for something.',
    status: 'Says that the call is not over yet.',
    message: 'A note for people and models.',
    input: 'The arguments as received.',
  },
  Failure: {
    '': 'What went wrong, whether repeating is safe, whether the outside world changed, and what to do next.',
    kind: 'What went wrong, out of a closed set.',
    code: 'A code of the tool itself, or one with a fixed meaning.',
    message: 'What happened, for people and models.',
    advice: 'What to do next, in one sentence.',
    recovery: 'What to do next, out of a closed set.',
    retryable: 'Whether the same call may succeed later and is safe to repeat.',
    retryAfterMs: 'After how many milliseconds repeating makes sense.',
    effect: 'Whether the outside world changed before the call failed.',
    issues: 'What is wrong with the arguments, field by field.',
    upstream: 'The service behind the tool, where that was what failed.',
    errorType: 'The `error.type` that telemetry records.',
    attempt: 'Which attempt failed, counted from 1.',
    cause: 'The name of the exception, or a system code.',
    details: 'More facts, as the tool stated them.',
    debugId: 'Operators find the full cause under this id.',
  },
  Issue: {
    '': 'One thing that is wrong with a value.',
    path: 'Where it lies in the arguments.',
    problem: 'What kind of mistake it is.',
    format: 'The format that is broken.',
    expected: 'What was expected.',
    received: 'What was received.',
    message: 'What is wrong, in words.',
    hint: 'How to mend it.',
  },
  ItemFailure: { '': 'One item that failed.', index: 'The place of the item.', id: 'The id of the item.' },
  Content: { '': 'A block a model can read, see or hear. Binary data is base64.' },
  Pending: {
    '': 'What a call waits for, and how to ask again.',
    handle: 'Names the call when asking again.',
    reason: 'What it waits for.',
    ask: 'The question to a person.',
    expiresAt: 'Until when it waits, as an ISO time.',
    pollAfterMs: 'After how many milliseconds asking again makes sense.',
    progress: 'How far it has come: the last message, and percent.',
  },
  Meta: {
    '': 'Facts about the call itself.',
    tool: 'The name of the tool.',
    invocationId: 'The id of this one call.',
    traceId: 'The trace the call belongs to.',
    callId: 'The id that the model or provider gave the call.',
    tookMs: 'How long it took, in milliseconds.',
    attempts: 'How often the tool ran.',
    sessionId: 'The session that was used.',
    resourceType: 'The kind of resource that was used.',
    temporarySession: 'Whether the session was made for this call and ended with it.',
    runId: 'The run of an agent or graph.',
    ids: 'Ids of the application, such as a case or a document.',
    tenantId: 'Whose call it was.',
    replayed: 'Whether this is the outcome of an earlier call with the same key.',
    cacheHit: 'Whether the result came from a cache.',
    tokenUsage: 'Tokens spent, by sort.',
    sourceCounts: 'How many sources were used, by sort.',
    routing: 'How the tool chose its way.',
    resultRef: 'Where the whole result lies, when it was too large to send.',
    truncated: 'Whether the data was cut.',
    warnings: 'What did not go as planned without being a failure.',
  },
};

/** Adds to the schemas of outcomes what their fields mean. */
export function withNotes(schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const own = notes[name];
      return [name, own === undefined ? schema : describe(schema as JsonObject, own)];
    }),
  );
}

function describe(schema: JsonObject, own: Readonly<Record<string, string>>): JsonObject {
  const { '': whole = '' } = own;
  const properties = Object.entries((schema.properties as JsonObject | undefined) ?? {}).map(([field, value]): [string, JsonValue] => [
    field,
    own[field] === undefined ? value : { ...(value as JsonObject), description: own[field] },
  ]);
  return { ...schema, description: whole, ...(properties.length > 0 && { properties: Object.fromEntries(properties) }) };
}
