import {
  type Client,
  credentials,
  Metadata,
  makeGenericClientConstructor,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { cancelled, casesOf, type Expectation, timeout, unknownName, unreachable } from '../error-case.ts';
import { afterwards, closedPort, garbage } from '../loopback.ts';
import { secrets } from '../secrets.ts';

interface Question {
  readonly code?: number;
  readonly details?: string;
  readonly size?: number;
}

const json = {
  serialize: (value: unknown) => Buffer.from(JSON.stringify(value)),
  deserialize: (bytes: Buffer) => JSON.parse(bytes.toString()),
};
const method = (path: string) => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: json.serialize,
  requestDeserialize: json.deserialize,
  responseSerialize: json.serialize,
  responseDeserialize: json.deserialize,
});
const known = { look: method('/shop.Items/Look') };
const Items = makeGenericClientConstructor({ ...known, remove: method('/shop.Items/Remove') }, 'Items');

let listening: Promise<string> | undefined;

/** One real gRPC server whose method fails with whatever status it is asked for, or never answers. */
function server(): Promise<string> {
  listening ??= new Promise((resolve, reject) => {
    const made = new Server();
    made.addService(known, {
      look: ({ request }: { request: Question }, done: (error: Partial<ServiceError> | null, value?: unknown) => void) => {
        if (request.code !== undefined) done({ code: request.code, details: request.details ?? '' });
        else if (request.size !== undefined) done(null, 'x'.repeat(request.size));
      },
    });
    afterwards(() => made.forceShutdown());
    made.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    );
  });
  return listening;
}

type Call = { cancel(): void };
type Method = (request: Question, metadata: Metadata, options: object, callback: (error: ServiceError | null) => void) => Call;

function ask(address: string, request: Question, { name = 'look', deadlineMs = 3_000, cancelMs = 0, channel = {} } = {}) {
  const client = new Items(address, credentials.createInsecure(), channel) as Client & Record<string, Method>;
  afterwards(() => client.close());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${secrets.apiKey}`);
  return new Promise((resolve, reject) => {
    const call = client[name]?.(request, metadata, { deadline: Date.now() + deadlineMs }, (error) =>
      error ? reject(error) : resolve('answered'),
    );
    if (cancelMs > 0) setTimeout(() => call?.cancel(), cancelMs);
  });
}

const answers: [code: number, details: string, expect: Expectation][] = [
  [status.UNKNOWN, 'Exception was thrown by handler.', { kinds: ['upstream', 'internal'], retryable: 'either' }],
  [status.INVALID_ARGUMENT, 'page_size must be positive', { kind: 'invalid_input' }],
  [status.DEADLINE_EXCEEDED, 'context deadline exceeded', timeout],
  [status.NOT_FOUND, 'item 7 was not found', { kind: 'not_found' }],
  [status.ALREADY_EXISTS, 'item 7 already exists', { kind: 'conflict', retryable: false }],
  [status.PERMISSION_DENIED, 'caller may not read items', { kind: 'forbidden' }],
  [status.RESOURCE_EXHAUSTED, 'too many requests, try again later', { kind: 'rate_limited', retryable: true }],
  [status.FAILED_PRECONDITION, 'the shop is not empty', { kinds: ['conflict', 'invalid_input', 'not_ready'], retryable: 'either' }],
  [status.ABORTED, 'transaction was aborted by a concurrent one', { kind: 'conflict', retryable: true }],
  [status.OUT_OF_RANGE, 'offset is past the end', { kind: 'invalid_input' }],
  [status.INTERNAL, 'nil pointer dereference', { kind: 'upstream', retryable: 'either' }],
  [status.UNAVAILABLE, 'the service is shutting down', { kinds: ['upstream', 'unreachable', 'not_ready'], retryable: true }],
  [status.DATA_LOSS, 'unrecoverable block', { kinds: ['upstream', 'bad_response'], retryable: 'either' }],
  [status.UNAUTHENTICATED, 'token has expired', { kind: 'unauthenticated' }],
];

export const grpcCases = casesOf('@grpc/grpc-js', [
  ...answers.map(([code, details, expect]) => ({
    id: `the status ${status[code]}`,
    run: async () => ask(await server(), { code, details }),
    expect,
  })),
  { id: 'a method that is not implemented', run: async () => ask(await server(), {}, { name: 'remove' }), expect: { kind: 'unsupported' } },
  { id: 'a deadline', run: async () => ask(await server(), {}, { deadlineMs: 120 }), expect: timeout },
  { id: "the caller's cancel", run: async () => ask(await server(), {}, { cancelMs: 60 }), expect: cancelled },
  {
    id: 'an answer beyond the size limit',
    run: async () => ask(await server(), { size: 5_000 }, { channel: { 'grpc.max_receive_message_length': 1_000 } }),
    expect: { kind: 'too_large' },
  },
  { id: 'a closed port', run: async () => ask(`127.0.0.1:${await closedPort()}`, {}), expect: unreachable },
  { id: 'an unknown host', run: () => ask('no-such-host.invalid:50051', {}), expect: unknownName },
  {
    id: 'a port that speaks something else',
    run: async () => ask((await garbage()).replace('http://', ''), {}, { deadlineMs: 600 }),
    expect: { kinds: ['unreachable', 'upstream', 'bad_response', 'timeout'], retryable: 'either' },
  },
]);
