import { describe, expect, test } from 'vitest';
import { type Echo, findEcho } from './echo.ts';

const page = {
  url: 'https://docs.example.com/guide?page=2',
  query: 'quiet cafes near the station',
  limit: 20,
  id: 4242,
  price: '1,500.50',
  sheet: 'Q3',
  city: 'Atlantis',
  action: 'merge',
  files: [{ name: 'src/a.ts', content: 'const rows = read(table);' }],
  filter: { owner: 'ada@example.com' },
};

describe('a value that the model sent is found', () => {
  test.each<[Echo['value'], string]>([
    ['whole', 'Process 4242 is gone'],
    ['whole', 'Process 4,242 is gone'],
    ['whole', 'The amount of 1500.5 is below the minimum'],
    ['whole', 'Sheet "Q3" is not there'],
    ['whole', "Sheet 'q3' is not there"],
    ['whole', "Can't move it to 'merge'"],
    ['whole', 'Blatt „x“ gibt es nicht, nur “Q3”'],
    ['whole', 'シート「Q3」が見つかりません'],
    ['whole', 'Location Atlantis not found'],
    ['whole', 'Unknown action: merge'],
    ['whole', 'Cannot open https://docs.example.com/guide?page=2.'],
    ['whole', 'Nothing for quiet cafes near the station'],
    ['whole', 'Duplicate update of src/a.ts'],
    ['whole', 'ada@example.com has no account'],
    ['part', 'The host docs.example.com is not allowed'],
    ['part', 'Unsupported extension ".ts"'],
    ['part', 'no such column: table'],
    // Common words and numbers say nothing where any text may hold them.
    ['none', 'Could not merge the branches'],
    ['none', 'No station could be found'],
    ['none', 'Failed after 20 attempts'],
    ['none', 'Server 42421 is down'],
    ['none', 'The tool failed'],
    ['none', ''],
  ])('%s: %s', (value, message) => {
    expect(findEcho(message, page, []).value).toBe(value);
  });

  test('but not where the tool mixed up two values that were both sent', () => {
    const steps = [{ step: 's-1' }, { step: 's-2' }];
    expect(findEcho('Order mismatch: expected s-1, got s-2', { steps }, []).value).toBe('none');
    expect(findEcho('Order mismatch: "s-2" where "s-1" was expected', { steps }, []).value).toBe('none');
    expect(findEcho('Wrong step: expected s-3, got "s-2"', { steps }, []).value).toBe('whole');
    expect(findEcho('Neither s-1 nor s-2 exists', { steps }, []).value).toBe('whole');
  });

  test('neither in what is not an object, nor beyond a bound', () => {
    expect(findEcho('Item abc-123 is gone', undefined, []).value).toBe('none');
    expect(findEcho('Item abc-123 is gone', 'abc-123', []).value).toBe('whole');
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, `value-${index}`]));
    expect(findEcho('value-3 is wrong', wide, []).value).toBe('whole');
    expect(findEcho('value-9000 is wrong', wide, []).value).toBe('none');
    expect(findEcho('abc-123 is wrong', { text: `${'x '.repeat(1e6)} abc-123` }, []).value).toBe('none');
  });
});

describe('the name of a parameter is found', () => {
  const params = ['nodeId', 'chatChannelId', 'merge_request_iid', 'job_id', 'path', 'files', 'type', 'id', 'name', 'createdAfter'];

  test.each<[Echo['parameter'], string]>([
    ['whole', 'Invalid nodeId: it must be like 12:34'],
    ['whole', 'The node ID is not valid'],
    ['whole', 'Either mergeRequestIid or branchName must be provided'],
    ['part', 'Chat or Channel ID is required'],
    ['part', 'Job not found'],
    ['part', 'No jobs found'],
    ['part', 'Files must be specified'],
    ['part', 'Invalid file path provided'],
    ['whole', 'The parameter `type` is unknown'],
    ['part', 'Either id or name must be provided'],
    ['whole', 'created-after must be a date'],
    ['part', 'Operation ID is required'],
    ['none', 'The title of the class says nothing'],
    ['none', 'Operation file-path-check not found'],
    ['none', 'We were on the path to success'],
    ['none', 'Something else is required'],
    // A name that goes on is that of something else, and a part of a compound is no word of the sentence.
    ['part', 'Invalid path: only letters are allowed'],
    ['part', 'Invalid files listed'],
    ['none', 'Invalid path builder: it lacks a root'],
    ['none', 'Illegal step: path.kind="notFound"'],
  ])('%s: %s', (parameter, message) => {
    expect(findEcho(message, {}, params).parameter).toBe(parameter);
  });

  test('also of one that the model made up', () => {
    expect(findEcho('Unknown parameter: colour', { colour: 'red' }, ['color']).parameter).toBe('part');
  });
});

test('hostile arguments give no echo and no exception', () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const cyclic: Record<string, unknown> = { id: 'abc-123' };
  cyclic.self = cyclic;
  const throwing = {
    get id(): string {
      throw new Error('no');
    },
  };
  expect(findEcho('abc-123 is gone', revoked.proxy, []).value).toBe('none');
  expect(findEcho('abc-123 is gone', throwing, []).value).toBe('none');
  expect(findEcho('abc-123 is gone', cyclic, []).value).toBe('whole');
  expect(findEcho('"'.repeat(1e6), cyclic, ['id']).value).toBe('none');
});
