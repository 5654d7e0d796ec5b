import { expect, test } from 'vitest';
import { createToolNames } from './tool-names.ts';

test('names that differ in case or separators only are numbered, because no toolbox takes both', () => {
  const nameOf = createToolNames();
  expect(['getUser', 'get_user', 'GET-USER', 'get_user_2'].map(nameOf)).toEqual(['getUser', 'get_user_2', 'GET-USER_3', 'get_user_2_2']);
});
