import { expect, test } from 'vitest';
import { splitCommand } from './open-mcp.ts';

test.each<[string, string[]]>([
  ['npx some-server --port 0', ['npx', 'some-server', '--port', '0']],
  ['node "my server.js" \'it is "here"\'', ['node', 'my server.js', 'it is "here"']],
  ['echo "say \\"hi\\""', ['echo', 'say "hi"']],
  ['"C:\\Program Files\\nodejs\\node.exe" C:\\tools\\server.js', ['C:\\Program Files\\nodejs\\node.exe', 'C:\\tools\\server.js']],
  ['"\\\\share\\tools\\server.exe"', ['\\\\share\\tools\\server.exe']],
  ['', []],
])('the command %s is read as words', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});
