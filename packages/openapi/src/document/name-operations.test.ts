import { checkToolName, toProviderName } from 'toolpact/internal';
import { expect, test } from 'vitest';
import { nameOperations } from './name-operations.ts';

test.each<[string | undefined, string, string, string]>([
  ['listPets', 'GET', '/pets', 'listPets'],
  ['repos/list-for-org', 'GET', '/orgs/{org}/repos', 'repos_list-for-org'],
  ['Pet: find by status!', 'GET', '/pets', 'Pet_find_by_status'],
  [undefined, 'GET', '/pets/{petId}', 'get_pets_petId'],
  ['日本', 'POST', '/é', 'post'],
  ['2fa.enable', 'POST', '/2fa', 'op_2fa_enable'],
  ['__', 'DELETE', '/', 'delete'],
])('the operation %s %s %s is named %s', (operationId, method, path, name) => {
  expect(nameOperations([{ operationId, method, path }])).toEqual([name]);
});

test('names that a model could take for each other are kept apart', () => {
  const names = nameOperations(
    ['get_pet', 'getPet', 'get-pet', 'get_pet_2'].map((operationId) => ({ operationId, method: 'GET', path: '/' })),
  );
  expect(names).toEqual(['get_pet', 'getPet_2', 'get-pet_3', 'get_pet_2_2']);
});

test('long names are cut to what providers take, and what began alike stays apart', () => {
  const long = 'a_very_long_operation_id_as_generators_make_them_from_paths_and_methods';
  const names = nameOperations([`${long}_one`, `${long}_two`].map((operationId) => ({ operationId, method: 'GET', path: '/' })));
  expect(names).toEqual([
    expect.stringMatching(/^a_very_long_operation_id_as_generators_make_them_from_pa.*_\w{7}$/),
    expect.stringMatching(/^a_very_long_operation_id_as_generators_make_them_from_pa.*_\w{7}$/),
  ]);
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect([name.length <= 64, checkToolName(name), toProviderName(name)]).toEqual([true, undefined, name]);
});

test('a prefix lets two APIs share a toolbox', () => {
  expect(nameOperations([{ operationId: 'list', method: 'GET', path: '/' }], 'git hub')).toEqual(['git_hub_list']);
});

test('a flood of equal names is numbered on, not from the start each time', () => {
  const names = nameOperations(Array.from({ length: 40_000 }, (_, index) => ({ operationId: 'same', method: 'GET', path: `/${index}` })));
  expect(names.slice(0, 3)).toEqual(['same', 'same_2', 'same_3']);
  expect(names.at(-1)).toBe('same_40000');
});

test('a name without end is cut before it is looked at', () => {
  const operationId = `a${'_'.repeat(2_000_000)}b`;
  expect(nameOperations([{ operationId, method: 'GET', path: '/' }])).toEqual(['a']);
});
