import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../outcome/catalogue.ts';
import { classify } from './classify.ts';

/** Reads what a handler threw in a call with these arguments. */
function readAtCall(thrown: unknown, args: Record<string, unknown> = {}, params: readonly string[] = Object.keys(args)) {
  return classify(thrown, { during: 'run', stopped: false, args, params });
}

describe("an author's sentence about the arguments counts where it repeats something of the call", () => {
  test.each<[FailureKind, string, Record<string, unknown>]>([
    ['not_found', 'Issue 42 not found', { id: 42 }],
    ['not_found', 'old_string not found in src/a.ts. Read the file again.', { file: 'src/a.ts', old_string: 'x', new_string: 'y' }],
    ['not_found', 'SQL error: no such table: userss', { query: 'SELECT * FROM userss LIMIT 5' }],
    ['conflict', 'A label named "bug" already exists', { name: 'bug' }],
    ['invalid_input', 'limit must be a positive integer', { limit: 0 }],
    ['invalid_input', 'Title is required', { title: '' }],
    ['invalid_input', 'Address is required when the scope is narrow', { address: '' }],
    ['invalid_input', 'Cannot parse the patch', { patch: '- a' }],
    ['too_large', 'notes.txt is too large', { path: 'notes.txt' }],
    // No word of this is known; what it repeats shows what it is about, in any language.
    ['invalid_input', 'Die Tabelle "kundn" gibt es nicht', { table: 'kundn' }],
    ['invalid_input', '顧客「C-99」は存在しません', { customer: 'C-99' }],
  ])('%s: %s', (kind, message, args) => {
    expect(readAtCall(new Error(message), args)).toMatchObject({ kind, recovery: 'fix_input', message });
    // An error class of the author's own is read like a plain error.
    class IssueError extends Error {}
    expect(readAtCall(new IssueError(message), args).kind).toBe(kind);
    expect(readAtCall(Object.assign(new Error(message), { issue: 7 }), args).kind).toBe(kind);
    expect(readAtCall(message, args).kind).toBe(kind);
  });

  test.each([
    'Issue 42 not found',
    'Operation patch-children not found',
    'A handler named "list" already exists',
    'Operation ID is required',
    'Invalid state: expected an array',
    'Failed to fetch the picture',
    'Something odd',
  ])('and says nothing else where it does not: %s', (message) => {
    expect(readAtCall(new Error(message), { page: 'home' })).toMatchObject({ kind: 'failed', recovery: 'see_message', message });
  });

  test('also where an argument that is missing is only known by its name', () => {
    expect(readAtCall(new Error('Project must be specified'), {}, ['project']).kind).toBe('invalid_input');
    expect(readAtCall(new Error('Project must be specified'), {}, ['service']).kind).toBe('failed');
  });

  test.each<[FailureKind, string, Record<string, unknown>]>([
    ['invalid_input', 'Only http and https addresses are valid, not ftp://files.example', { url: 'ftp://files.example' }],
    ['invalid_input', 'The picture must be located inside the pictures folder: /tmp/a.png', { path: '/tmp/a.png' }],
  ])('%s: %s', (kind, message, args) => {
    expect(readAtCall(new Error(message), args)).toMatchObject({ kind, recovery: 'fix_input' });
    expect(readAtCall(new Error(message), { page: 'home' }).recovery).not.toBe('fix_input');
  });

  test.each<[FailureKind, string, Record<string, unknown>]>([
    ['invalid_input', 'status must be one of Open, In progress, Already closed', { status: 'Later' }],
    ['invalid_input', 'status must be one of "Open", "In progress", "Waiting for a reply"', { status: 'Later' }],
    ['invalid_input', "Invalid state 'Later'. Valid states: open, in progress, rate limited", { state: 'Later' }],
    // The list of choices ends with its sentence.
    ['rate_limited', 'Available plans: small, large. Rate limit exceeded.', { plan: 'tiny' }],
    ['invalid_input', 'One of userId, groupId must be provided.', { userId: '' }],
  ])('and nothing that stands in a list of what can be sent: %s: %s', (kind, message, args) => {
    expect(readAtCall(new Error(message), args).kind).toBe(kind);
  });

  test('and what is missing in a response did not come from the model', () => {
    expect(readAtCall(new Error('Missing channel_id in the response'), { channel_id: 'C1' }).kind).toBe('bad_response');
  });

  test.each<[FailureKind, string]>([
    ['bad_response', 'The session ID is required but was not returned by the browser'],
    ['bad_response', 'Session rotation did not return a session'],
    ['bad_response', 'No session details returned'],
    ['not_found', 'The search for sessions did not return any results'],
    ['failed', 'A session cannot be returned after 30 days'],
  ])('nor what a service did not return: %s: %s', (kind, message) => {
    expect(readAtCall(new Error(message), { session: 's' }).kind).toBe(kind);
  });
});

test('a text that the engine cannot read is an argument where the engine repeats it', () => {
  const pattern = '[unclosed';
  const thrown = caught(() => new RegExp(pattern));
  expect(readAtCall(thrown, { pattern }).kind).toBe('invalid_input');
  expect(readAtCall(thrown, { pattern: 'other' }).kind).toBe('internal');
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return thrown;
  }
}

test('the path of a system error is that of a file, and not of a field that a schema complains about', () => {
  const message = "ENOTDIR: not a directory, open '/data/notes.txt/inner'";
  const thrown = Object.assign(new Error(message), { code: 'ENOTDIR', syscall: 'open', path: '/data/notes.txt/inner' });
  expect(readAtCall(thrown)).toMatchObject({ kind: 'invalid_input', message });
});

describe('a sentence that blames no argument counts by itself', () => {
  test.each<[FailureKind, string]>([
    ['rate_limited', 'Rate limit exceeded'],
    ['rate_limited', 'Figma API rate limit hit (429). Retry after 30 seconds.'],
    ['rate_limited', 'agent_run error (429): Too many concurrent runs'],
    ['timeout', 'Timed out waiting for the lock on account acc_1'],
    ['timeout', 'Crawl job 5f2c9a did not complete within 60s'],
    ['upstream', 'Failed to start the task. Please try again.'],
    ['upstream', 'Failed to fetch the PDF: 503'],
    ['not_found', 'Failed to fetch: 404 (Not Found)'],
    ['forbidden', 'Search failed [403]'],
    ['failed', 'Room (404) cannot be entered by now'],
    ['upstream', 'Failed to load the page: Bad Gateway'],
    ['forbidden', 'Failed to download the image: Forbidden'],
    ['forbidden', 'Access denied: a.ts is outside the workspace'],
    ['not_configured', 'Acme API Key and Project ID are required'],
    ['not_configured', 'Failed to load credentials'],
    ['not_ready', 'Another export is already in progress'],
    ['not_ready', 'Cannot leave the room while two calls are still active'],
    ['bad_response', 'No price details returned by the shop'],
    ['not_found', 'The query did not return any rows'],
    ['forbidden', 'Tool "write_file" is not allowed in ask mode.'],
    ['denied', 'The user rejected the request'],
    ['unauthenticated', 'Unauthorized: the token is for another workspace'],
    ['unauthenticated', 'Not logged in. Cannot open the list.'],
    ['not_configured', 'STRIPE_SECRET_KEY is not set'],
    ['not_configured', 'Tavily API key is required. Set TAVILY_API_KEY.'],
    ['not_configured', 'Failed to run git: spawn git ENOENT'],
    ['not_configured', 'Failed to run it: spawn C:\\Program Files\\Git\\git.exe ENOENT'],
    ['not_configured', 'spawn ENOENT'],
    ['budget_exhausted', 'Insufficient funds: balance is 12.50 EUR'],
    ['budget_exhausted', 'Your card was declined.'],
    ['unsupported', 'Binary data is not supported'],
    ['bad_response', 'Unexpected response format'],
    ['conflict', 'Failed to create the project: 6 ALREADY_EXISTS: Requested entity already exists'],
    ['unreachable', 'Could not reach the mirror: connect ECONNREFUSED'],
  ])('%s: %s', (kind, message) => {
    expect(readAtCall(new Error(message), { page: 'home' })).toMatchObject({ kind, message });
  });

  test.each([
    ['Rate limit exceeded, try again in 30 seconds', 30_000],
    ['Too many requests. Please wait 2 minutes.', 120_000],
    ['Rate limit reached. Retry after 5s', 5_000],
  ])('and the wait that it asks for: %s', (message, retryAfterMs) => {
    expect(readAtCall(new Error(message))).toMatchObject({ kind: 'rate_limited', recovery: 'wait', retryAfterMs });
  });

  test.each([
    'Row 7 is outside the allowed range',
    'No file found within the root folder',
    'Could not find a page inside the folder',
    'The command has to run outside a repository',
    'The card is blocked by another one',
    'Only strings are allowed',
    'The invitation was rejected',
    'Unknown error in a tool',
    'This order cannot be returned',
    'No host runner was provided',
    'The key and its value are required',
    'Make sure that the file exists',
    'The file is not progressing',
  ])('but not where the same words say something else: %s', (message) => {
    expect(readAtCall(new Error(message), { page: 'home' })).toMatchObject({ kind: 'failed', recovery: 'see_message' });
  });

  test('and a key that the tool takes as a parameter is not for an operator to set', () => {
    expect(readAtCall(new Error('API key and name are required'), { page: 'home' }, ['page', 'apiKey']).recovery).toBe('fix_input');
  });

  test('nor are they read of what a library throws where no call is known', () => {
    for (const message of ['Only read queries are allowed', 'Upload rejected: programs', 'Path traversal detected'])
      expect(classify(new Error(message)).kind).not.toBe('denied');
  });

  test('but a program that the model named is not for an operator to install', () => {
    expect(readAtCall(new Error('spawn gitt ENOENT'), { command: 'gitt --version' }).kind).toBe('not_found');
    // As Node throws it.
    const thrown = Object.assign(new Error('spawn gitt ENOENT'), { code: 'ENOENT', syscall: 'spawn gitt', path: 'gitt' });
    expect(readAtCall(thrown, { command: 'gitt' }).kind).toBe('not_found');
    expect(readAtCall(thrown, { repository: 'shop' }).kind).toBe('not_configured');
  });
});

describe('words that blame an argument, or send to whoever grants access, count where the sentence shares a word with a parameter', () => {
  test.each<[FailureKind, string, string]>([
    ['denied', 'Security error: the file path resolves outside the allowed directory', 'path'],
    ['denied', 'The output must be located inside the project folder', 'project_id'],
    ['denied', 'Only read queries are allowed', 'sql_query'],
    ['denied', 'Only INSERT, UPDATE, or DELETE operations are permitted here', 'operation'],
    ['denied', 'Blocked request to private address "10.0.0.1"', 'address'],
    ['denied', 'Path traversal detected', 'path'],
    ['denied', 'The line contains dangerous flags', 'line'],
    ['too_large', 'Maximum 50 labels allowed', 'labels'],
    ['too_large', 'Archive size exceeds the limit', 'archive'],
    ['invalid_input', 'At least one card field must be given', 'card_id'],
    ['conflict', 'The order is already completed', 'order_id'],
    ['conflict', 'Names have to be unique, and this one is already taken', 'name'],
    ['invalid_input', 'Need at least 2 stops', 'stops'],
    ['invalid_input', 'Invalid date format', 'date_from'],
  ])('%s: %s', (kind, message, parameter) => {
    expect(readAtCall(new Error(message), {}, [parameter])).toMatchObject({ kind, message });
    expect(readAtCall(new Error(message), { page: 'home' })).toMatchObject({ kind: 'failed', recovery: 'see_message' });
  });
});

describe('what is evidently a bug is internal', () => {
  test.each<[string, unknown]>([
    ['an error of the engine', new TypeError("Cannot read properties of undefined (reading 'title')")],
    ['a name that is not defined', new ReferenceError('titel is not defined')],
    ['a TypeError in the words of its author', new TypeError('Input must be a valid number')],
    ['a broken invariant', new Error('Invariant failed: no user')],
    ['what should never happen', new Error('This should never happen')],
  ])('%s', (_what, thrown) => {
    expect(readAtCall(thrown, { title: 'x' })).toMatchObject({ kind: 'internal', recovery: 'stop' });
  });

  test('and with structure alone everything else is too', () => {
    const hints = { during: 'run', classify: 'structure', args: { id: 42 }, params: ['id'] } as const;
    expect(classify(new Error('Issue 42 not found'), hints).kind).toBe('internal');
    expect(classify(Object.assign(new Error('x'), { status: 404 }), hints).kind).toBe('not_found');
    const named = Object.assign(new Error('No handler registered'), { name: 'RateLimitError' });
    expect(classify(named, hints).kind).toBe('rate_limited');
  });
});

describe('numbers that say less than words', () => {
  const rpcError = (code: number, message: string) => Object.assign(new Error(message), { name: 'McpError', code });

  test.each<[FailureKind, number, string]>([
    ['rate_limited', -32603, 'MCP error -32603: Rate limit exceeded'],
    ['not_found', -32603, 'MCP error -32603: Board b-17 not found'],
    ['unauthenticated', -32000, 'MCP error -32000: Not logged in'],
    ['not_found', -32602, "MCP error -32602: Context 'b-17' not found"],
    ['failed', -32603, 'MCP error -32603: It broke'],
    ['invalid_input', -32602, 'MCP error -32602: Nope, that is it'],
  ])('%s: the code %i next to %s', (kind, code, message) => {
    expect(readAtCall(rpcError(code, message), { board: 'b-17' }).kind).toBe(kind);
  });

  test('a status of 500 counts only where a service may have answered with it', () => {
    const failed = { status: 500, exit: 1 };
    expect(readAtCall(Object.assign(new Error('Unable to determine the build'), failed)).kind).toBe('failed');
    expect(readAtCall(Object.assign(new Error('Unable to determine the build'), failed, { endpoint: '/builds' })).kind).toBe('upstream');
    expect(readAtCall(Object.assign(new Error('Unable to determine the build'), failed, { headers: {} })).kind).toBe('upstream');
    expect(readAtCall(Object.assign(new Error('It answered 500'), failed)).kind).toBe('upstream');
  });
});

describe('what others said is not read as if the author had', () => {
  test.each([
    'Tests failed: AssertionError: expected 200 to equal 401',
    '3 tests failed\n  rate limit exceeded\n  not logged in',
    'Command failed with exit code 2:\nsrc/a.ts(3,1): error TS2304: Cannot find name "x". Rate limit exceeded.',
  ])('%s', (message) => {
    expect(readAtCall(new Error(message), { command: 'npm test' })).toMatchObject({ kind: 'failed' });
  });

  test('nor a value in quotes', () => {
    expect(readAtCall(new Error('Label "rate limit exceeded" not found'), { label: 'rate limit exceeded' }).kind).toBe('not_found');
  });
});

describe('an abort that the caller did not ask for', () => {
  test.each([
    'This operation was aborted',
    'The operation was aborted.',
    'The user aborted a request.',
    'signal is aborted without reason',
  ])("is the tool's own deadline: %s", (message) => {
    expect(readAtCall(new DOMException(message, 'AbortError')).kind).toBe('timeout');
  });

  test('is cancelled where it says why', () => {
    expect(readAtCall(new DOMException('user closed the tab', 'AbortError'))).toMatchObject({
      kind: 'cancelled',
      message: 'user closed the tab',
      advice: 'Do not repeat this call.',
    });
  });

  // Node's own functions throw an error of their own, and keep the reason of the signal behind it.
  test.each<[string, unknown]>([
    ['an error as its cause', { cause: new Error('user closed the tab') }],
    ['an abort as its cause', { cause: new DOMException('user closed the tab', 'AbortError') }],
    ['a text as its cause', { cause: 'user closed the tab' }],
    ['a field', { reason: 'user closed the tab' }],
  ])('is cancelled where it says why in %s', (_, fields) => {
    const abort = Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }, fields);
    expect(readAtCall(abort)).toMatchObject({ kind: 'cancelled', message: 'user closed the tab', retryable: false });
  });

  test.each<[string, unknown]>([
    ['gives no reason', new DOMException('This operation was aborted', 'AbortError')],
    ['is late', new DOMException('too slow', 'TimeoutError')],
  ])("is the tool's own deadline where the reason %s", (_, cause) => {
    expect(readAtCall(Object.assign(new Error('The operation was aborted', { cause }), { name: 'AbortError' })).kind).toBe('timeout');
  });
});

describe('what is shown', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });

  test("is the author's message, and not that of its cause", () => {
    expect(readAtCall(new Error('Failed to load the customer', { cause: refused }))).toMatchObject({
      kind: 'unreachable',
      message: 'Failed to load the customer',
      cause: 'ECONNREFUSED',
    });
  });

  test('is the cause where the message says nothing, without addresses', () => {
    expect(readAtCall(new TypeError('fetch failed', { cause: refused })).message).toBe('connect ECONNREFUSED');
    const unknown = Object.assign(new Error('connect ETIMEDOUT db.internal.example:5432'), { code: 'ETIMEDOUT' });
    expect(readAtCall(new Error('Network Error', { cause: unknown })).message).toBe('connect ETIMEDOUT');
  });

  test('holds the complaints that a service lists', () => {
    const body = {
      message: 'Validation Failed',
      errors: [
        { field: 'q', code: 'invalid', message: 'The listed users cannot be searched.' },
        { message: 'The query must not be empty.' },
      ],
    };
    const thrown = Object.assign(new Error('Request failed with status code 422'), { response: { status: 422, headers: {}, data: body } });
    expect(readAtCall(thrown)).toMatchObject({
      kind: 'invalid_input',
      message: 'Validation Failed: The listed users cannot be searched.; The query must not be empty.',
    });
    expect(readAtCall(new Error(`GitHub refused the search: ${JSON.stringify(body)}`)).message).toBe(
      'GitHub refused the search: Validation Failed: The listed users cannot be searched.; The query must not be empty.',
    );
  });
});

describe('what authors say of more than the arguments', () => {
  test.each<[FailureKind, string]>([
    ['budget_exhausted', 'You have exceeded your monthly image credits'],
    ['rate_limited', 'You have exceeded your quota of 60 s. Try again in 2:30'],
    ['rate_limited', 'Failed to ask the model: 429 You are too fast'],
    ['forbidden', 'This project is not authorized to use this service'],
    ['forbidden', 'Request had insufficient authentication scopes.'],
    ['unauthenticated', 'No access token found'],
    ['unauthenticated', 'Run `shop login` to go on'],
    ['not_configured', 'Workspace tools require SHOP_WORKSPACE_DIR'],
    ['not_configured', 'Invalid URL for SHOP_API_URL'],
    ['not_configured', 'unable to find the program "simctl", not in PATH'],
    ['not_configured', 'Shop region is not set'],
    ['unsupported', 'Uploads are not available for guests'],
    ['bad_response', 'No confirmation from the printer'],
    ['bad_response', 'The HEAD response missing Content-Length'],
    ['bad_response', 'Invalid event data format from Shop API: expected a list'],
    ['invalid_input', 'No arguments provided'],
    ['upstream', 'Failed to update the order: Internal Server Error'],
    ['unreachable', 'Failed to fetch https://a.example/x: fetch failed'],
  ])('%s: %s', (kind, message) => {
    expect(readAtCall(new Error(message), { page: 'home' })).toMatchObject({ kind, message });
  });

  test.each(['Cannot delete the label of a closed order', 'Cannot read both halves', 'Cannot set a price twice'])(
    'what reads like the engine, and is not: %s',
    (message) => {
      expect(readAtCall(new Error(message))).not.toMatchObject({ kind: 'internal' });
    },
  );

  test('a key that the model sent is no setting', () => {
    expect(readAtCall(new Error('Component with key "abc12" not found'), { componentKey: 'abc12' }).kind).toBe('not_found');
  });

  test('a code that says nothing leaves the sentence to its author', () => {
    const message = 'The order is already completed';
    for (const code of ['ERR_2003', 'UNKNOWN', 'unknown'])
      expect(readAtCall(Object.assign(new Error(message), { code }), { order_id: 7 }).recovery).toBe('fix_input');
    expect(readAtCall(Object.assign(new Error('No order with that name found'), { code: 'ERR_2003' })).kind).toBe('failed');
  });

  test('a status of 500 that nobody answered does not hide what the sentence says', () => {
    expect(readAtCall(Object.assign(new Error('Error assigning the issue: fetch failed'), { statusCode: 500 })).kind).toBe('unreachable');
  });

  test('an author who checks the arguments once more speaks of the arguments, and who checks a response does not', () => {
    const issues = '[{"code":"invalid_type","path":["thought"],"message":"Required"}]';
    expect(readAtCall(new Error(`Invalid arguments for plan: ${issues}`), { step: 1 }).kind).toBe('invalid_input');
    expect(readAtCall(new Error(`Invalid response for plan: ${issues}`), { thought: '' }).kind).toBe('bad_response');
  });
});

describe('a sentence about the program itself sends nobody off', () => {
  const args = { page: 'checkout' };

  test.each<[FailureKind, unknown, Record<string, unknown>]>([
    ['internal', new TypeError('Access policy must be an object or null'), args],
    ['invalid_input', new TypeError('page must be an object or null'), args],
    ['invalid_input', new TypeError('"checkout" must be a number'), args],
    // A part that only programs have.
    ['failed', new Error('JWT issuer not initialized'), args],
    ['failed', new Error("The auth client hasn't been initialized."), args],
    ['failed', new Error('No page handler found'), args],
    ['failed', new Error('Rate limit middleware is busy'), args],
    // Code that the call does not know; a parameter in another spelling is known.
    ['failed', new Error('useTheme must be used within a ThemeRoot'), args],
    ['failed', new Error('<PageRoot> is not logged in'), args],
    ['failed', new Error('PageLimiter: the rate limit is not a number'), args],
    ['timeout', new Error('page.waitForLoad: timed out'), args],
    ['failed', new Error('Unauthorized call of openPage()'), args],
    ['rate_limited', new Error('GitHub: rate limit exceeded'), args],
    ['invalid_input', new Error('pageSize is required'), { page_size: '' }],
    // A rule about something that nobody sent.
    ['failed', new Error('Requests per minute must be positive'), args],
    ['failed', new Error('Expected a rate limit, got nothing'), args],
    ['unauthenticated', new Error('You must be logged in'), args],
    // A missing thing does not appear by waiting.
    ['failed', new Error('The connection was not found'), args],
    // A token of a language is no credential.
    ['failed', new Error('Invalid token in line 3'), args],
    ['unauthenticated', new Error('Invalid access token'), args],
    // An author's own class or code is the author's words too.
    ['failed', Object.assign(new Error('Nothing done'), { name: 'StorageError' }), args],
    ['failed', Object.assign(new Error('idle → busy'), { code: 'INVALID_TRANSITION' }), args],
    ['invalid_input', Object.assign(new Error('idle → busy'), { code: 'INVALID_ARGUMENT' }), args],
    ['rate_limited', Object.assign(new Error('No provider has capacity: rate limit exceeded'), { status: 429 }), args],
    ['invalid_input', new Error('Invalid page: checkout'), args],
    ['failed', new Error('The resource must contain a text'), args],
    ['invalid_input', new Error('The resource must contain a name'), { resource: {} }],
    // A part or a name that the call does not know, whatever value is repeated.
    ['failed', new Error('No handler for page "checkout" found'), args],
    ['failed', new Error('Page "checkout" was registered twice'), args],
    ['not_found', new Error('Provider "mail" not found'), { provider: 'mail' }],
    ['failed', new Error('Page "checkout" declares a maxItemsPath that is not valid'), args],
    ['not_found', new Error('Page "checkout" not found. Use listPages to see all.'), args],
    // A value that only says for what something else failed.
    ['failed', new Error('No template engine found for page: checkout-2'), { page: 'checkout-2' }],
    ['failed', new Error('hash was empty for "file:///a.ts"'), { path: 'file:///a.ts' }],
    ['failed', new Error('Invalid stored row for page "checkout"'), args],
    ['invalid_input', new Error('Invalid date for page "checkout"'), { page: 'checkout', date: '1.2' }],
    ['invalid_input', new Error('The limit for "checkout" must be positive'), { page: 'checkout' }],
    ['not_found', new Error('No results found for "quiet cafes"'), { query: 'quiet cafes' }],
    ['failed', new Error('Page "checkout-2" has no layout'), { page: 'checkout-2' }],
    // The tool of a running call was found.
    ['failed', new Error('Unknown tool "edit_file"'), args],
    ['unknown_tool', new Error('Unknown tool "edit_file"'), { tool: 'edit_file' }],
    ['failed', new Error('No page device available'), args],
    // A connection with a name is a thing.
    ['failed', new Error('The connection "checkout" is not enabled'), { connection: 'checkout' }],
    ['unreachable', new Error('The connection was not established: connect ECONNREFUSED'), args],
    // A code that begins the sentence is the author's, one within it is a service's.
    ['failed', new Error('PAGE_INDEX_MISMATCH: the number of rows has changed'), args],
    ['conflict', new Error('Failed to create it: 6 ALREADY_EXISTS: Requested entity already exists'), args],
    // An author says by the class or code that the program is wrong.
    ['failed', Object.assign(new Error('Page "checkout" not found'), { name: 'UnexpectedStateError' }), args],
    ['failed', Object.assign(new Error('Only pages can be drawn'), { code: 'INTERNAL_ERROR' }), args],
    ['bad_response', new Error('The search of articles returned no result.'), args],
    ['bad_response', new TypeError('The request did not return a result'), args],
    ['not_found', new Error('The search returned no results.'), args],
  ])('%s: %s', (kind, thrown, given) => {
    expect(readAtCall(thrown, given).kind).toBe(kind);
  });
});
