import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectInfo } from './project-info.ts';

test.each([
  ['no package.json', undefined, '0.0.0'],
  ['a version', '{ "name": "@acme/shop", "version": "1.2.3" }', '1.2.3'],
  ['no version', '{}', '0.0.0'],
  ['no JSON', '{', '0.0.0'],
])('a project is known by its folder, also with %s', (_, packageJson, version) => {
  const parent = mkdtempSync(join(tmpdir(), 'toolpact-project-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, 'shop');
  mkdirSync(folder);
  if (packageJson !== undefined) writeFileSync(join(folder, 'package.json'), packageJson);
  expect(projectInfo(folder)).toEqual({ name: 'shop', version });
});
