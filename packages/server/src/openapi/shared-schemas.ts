import type { JsonObject } from 'toolpact';
import { type Dialect, problem } from 'toolpact/dialects';
import { outcomeSchema } from 'toolpact/internal';
import { envelopeSchemas } from './answer-forms.ts';
import { withNotes } from './notes.ts';
import { schemaRef, toComponent } from './to-component.ts';

const text: JsonObject = { type: 'string' };
const time: JsonObject = { type: 'string', format: 'date-time' };
const millis: JsonObject = { type: 'integer', description: 'Epoch milliseconds.' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const free: JsonObject = { type: 'object' };
const armNames = { ok: 'OkOutcome', partial: 'PartialOutcome', error: 'ErrorOutcome', pending: 'PendingOutcome' } as const;

/** Returns the schemas that every document holds, and those of the dialects that a request can select. */
export function sharedSchemas(dialects: readonly Dialect[]): JsonObject {
  return {
    ...outcomeSchemas(),
    ...envelopeSchemas(dialects),
    Problem: toComponent('Problem', problem.jsonSchema()),
    ListedTool: object(
      {
        name: { ...text, description: 'The exact name.' },
        providerName: { ...text, description: 'The name in the form every model provider accepts.' },
        description: { ...text, description: 'What the tool is for.' },
        effects: { enum: ['none', 'idempotent', 'writes'], description: 'What a call does to the outside world.' },
        inputSchema: { ...free, description: 'JSON Schema of the arguments.' },
        outputSchema: { ...free, description: 'JSON Schema of the data; absent when the tool declares none.' },
        examples: { type: 'array', items: object({ input: {}, output: {} }, ['input']), description: 'Calls that work.' },
        deferred: { const: true, description: 'Present when models find the tool with search_tools instead of being offered it.' },
      },
      ['name', 'providerName', 'description', 'effects', 'inputSchema', 'examples'],
    ),
  };
}

const flag: JsonObject = { type: 'boolean' };
const millisTaken: JsonObject = { type: 'number', minimum: 0 };
const counts: JsonObject = { type: 'object', additionalProperties: count };
const percentiles: JsonObject = object({ p50: millisTaken, p95: millisTaken, p99: millisTaken }, ['p50', 'p95', 'p99']);
const failureField = (name: string): JsonObject => schemaRef(`Failure/properties/${name}`);
const listedAlways = ['id', 'tool', 'status', 'begunAt', 'attempts', 'tenantId', 'traceId'];
const listedCall: JsonObject = {
  id: { ...text, description: 'The invocation id.' },
  tool: text,
  status: { enum: ['running', 'ok', 'partial', 'error', 'pending'] },
  kind: failureField('kind'),
  code: text,
  recovery: failureField('recovery'),
  retryable: flag,
  effect: failureField('effect'),
  preview: { ...text, description: 'The arguments in a line, without secrets; cut.' },
  message: text,
  handle: text,
  waitsFor: { enum: ['approval', 'input', 'running', 'host'], description: 'What a pending call waits for.' },
  begunAt: time,
  endedAt: time,
  tookMs: millisTaken,
  attempts: count,
  tenantId: text,
  runId: text,
  sessionId: text,
  conversationId: text,
  userId: text,
  agentName: text,
  adapter: text,
  callId: text,
  traceId: text,
  key: { ...text, description: 'The idempotency key that its caller gave.' },
  replayOf: { ...text, description: 'The call whose outcome this one was answered with.' },
  repeats: { ...text, description: 'The call that this one repeats after a crash.' },
  rerunOf: { ...text, description: 'The first of the calls that this one runs again.' },
  rerunFrom: { ...text, description: 'The step from which it does.' },
  cacheHit: flag,
  lost: { ...flag, description: 'Whether the process that ran it is gone.' },
  progress: {
    ...object({ message: text, percent: count, done: { type: 'number' }, total: { type: 'number' }, at: time }, ['at']),
    description: 'The last that it reported, while it runs.',
  },
};

/** The schemas of what guards add, each needed only where its routes are. */
export const guardSchemas = {
  ListedCall: object(listedCall, listedAlways),
  RecordedCall: object(
    {
      ...listedCall,
      input: { description: 'The arguments, without secrets.' },
      isWhole: { ...flag, description: 'Whether nothing of the arguments was hidden or cut.' },
      outcome: schemaRef('Outcome'),
      modelText: { ...text, description: 'What a model reads of the outcome.' },
      waits: {
        type: 'array',
        description: 'What it has asked people, in that order: what was asked, who decided what, when and why.',
        items: object(
          {
            handle: text,
            kind: { enum: ['approval', 'input'] },
            message: text,
            state: { enum: ['open', 'approved', 'denied', 'answered', 'withdrawn', 'expired'] },
            askedAt: time,
            expiresAt: time,
            decidedAt: time,
            by: { ...text, description: 'Who decided, where that is known.' },
            reason: text,
            changes: { type: 'array', items: free, description: 'What the person changed in the arguments.' },
            answer: { ...text, description: 'What was answered, as JSON without secrets; cut.' },
            modelText: { ...text, description: 'What the model read of the call while it waited.' },
          },
          ['handle', 'kind', 'message', 'state', 'askedAt'],
        ),
      },
      trace: { ...free, description: 'What guards, attempts and steps did, and the progress that was reported.' },
    },
    [...listedAlways, 'input', 'isWhole'],
  ),
  CallSummary: object(
    {
      total: count,
      complete: { type: 'boolean', description: 'Whether all calls of the time were read.' },
      minutes: { type: 'array', items: object({ minute: time, counts }, ['minute', 'counts']) },
      tools: { type: 'array', items: object({ tool: text, counts, tookMs: percentiles }, ['tool', 'counts']) },
      kinds: counts,
      effects: { ...counts, description: 'Failures by what they said about the outside world.' },
      unread: {
        type: 'array',
        description: 'Messages of `failed` that came more than once, the most frequent first.',
        items: object({ tool: text, message: text, count }, ['tool', 'message', 'count']),
      },
    },
    ['total', 'complete', 'minutes', 'tools', 'kinds', 'effects', 'unread'],
  ),
  ResultPage: object(
    {
      path: text,
      type: { enum: ['list', 'object', 'text', 'value'] },
      total: { ...count, description: 'How many items, fields or characters there are.' },
      offset: count,
      value: {},
      next: { ...count, description: 'The offset of the next page, if there is one.' },
    },
    ['path', 'type', 'total', 'offset', 'value'],
  ),
  Approval: object(
    {
      handle: text,
      tool: text,
      input: { description: 'The arguments, without secrets.' },
      question: text,
      preview: { description: 'What the call would do, by the preview of its tool.' },
      roles: { type: 'array', items: text, description: 'The roles that may decide.' },
      fourEyes: { type: 'boolean', description: 'Whether the user whose agent asked may not approve it.' },
      onExpiry: { enum: ['deny'], description: 'Silence is a no; without it an equal call asks again.' },
      grants: { enum: [false], description: 'There if the approval cannot allow further calls.' },
      edited: { description: 'The arguments with which it runs, where a person changed them.' },
      changes: {
        type: 'array',
        items: object({ path: { type: 'array', items: { type: ['string', 'integer'] } }, before: {}, after: {} }, ['path']),
      },
      state: { enum: ['waiting', 'approved', 'denied', 'used', 'expired'] },
      requestedAt: millis,
      expiresAt: millis,
      decidedAt: millis,
      by: text,
      reason: text,
      grant: { type: 'string', description: 'The id of the standing grant that was given with it.' },
      invocationId: text,
      callId: text,
      sessionId: text,
      runId: text,
    },
    ['handle', 'tool', 'input', 'question', 'state', 'requestedAt', 'expiresAt', 'invocationId'],
  ),
  Grant: object(
    {
      id: text,
      tool: text,
      words: { type: 'string', description: 'Which calls it covers, in plain words.' },
      for: { enum: ['run', 'session', 'user'] },
      userId: text,
      sessionId: text,
      runId: text,
      input: { type: 'object', description: 'The rule for each argument.' },
      state: { enum: ['active', 'revoked', 'expired', 'used_up'] },
      uses: { type: 'integer' },
      mostUses: { type: 'integer' },
      usedAt: millis,
      givenAt: millis,
      expiresAt: millis,
      by: text,
      reason: text,
      approval: { type: 'string', description: 'The handle of the approval that it was given with.' },
      revokedAt: millis,
      revokedBy: text,
    },
    ['id', 'tool', 'words', 'for', 'input', 'state', 'uses', 'givenAt', 'expiresAt', 'approval'],
  ),
} as const satisfies Readonly<Record<string, JsonObject>>;

/** Writes the schema of an object. */
export function object(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Returns the schema of one way to end, with some of its fields described more closely. */
export function outcomeArm(title: string, status: keyof typeof armNames, closer: JsonObject): JsonObject {
  const arm = outcomeSchemas()[armNames[status]] as JsonObject;
  return { ...arm, title, properties: { ...(arm.properties as JsonObject), ...closer } };
}

/** Returns the schema of a failure that has these codes. */
export function failureWith(title: string, code: JsonObject): JsonObject {
  const { Failure } = outcomeSchemas() as { readonly Failure: JsonObject };
  return { ...Failure, title, properties: { ...(Failure.properties as JsonObject), code } };
}

/** Returns the outcome and its parts, each under its own name. */
function outcomeSchemas(): JsonObject {
  const { oneOf, $defs } = outcomeSchema('', undefined, []) as { readonly oneOf: readonly JsonObject[]; readonly $defs: JsonObject };
  const arms = oneOf.map((arm) => [armNames[statusOf(arm)], { title: armNames[statusOf(arm)], ...arm }] as const);
  const parts = Object.entries($defs).map(([name, schema]) => [toName(name), schema] as const);
  const moved = JSON.stringify(Object.fromEntries([...arms, ...parts])).replace(
    /"#\/\$defs\/(\w+)"/g,
    (_, name: string) => `"#/components/schemas/${toName(name)}"`,
  );
  return withNotes({ Outcome: { oneOf: Object.values(armNames).map(schemaRef) }, ...(JSON.parse(moved) as JsonObject) });
}

function statusOf(arm: JsonObject): keyof typeof armNames {
  return ((arm.properties as JsonObject).status as JsonObject).const as keyof typeof armNames;
}

function toName(definition: string): string {
  return `${definition.charAt(0).toUpperCase()}${definition.slice(1)}`;
}
