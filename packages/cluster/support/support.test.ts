// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtinKinds, Job, Pod, Service } from '@forge/kube/kinds/builtin.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { ignoredFields, inertKinds, serverFields } from './support.ts';

/** The code below folders of a package, without tests and comments. */
function codeOf(name: string, folders: string): string {
  const cwd = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const files = globSync(`${folders}/**/*.ts`, { cwd }).filter((file) => !/test|e2e/.test(file));
  const texts = files.map((file) => readFileSync(`${cwd}/${file}`, 'utf8'));
  return texts.join('\n').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

const mentions = (code: string, name: string) => new RegExp(String.raw`\b${name}\b`).test(code);
const withoutTexts = (code: string) => code.replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '');
const cluster = codeOf('cluster', '{node,controllers,objects}');
const server = codeOf('apiserver', '{admission,controllers,registry,subresources}');

const container = partOf(Pod.schema, 'spec', 'containers')?.items;
const schemas: Record<string, Schema | undefined> = {
  PodSpec: partOf(Pod.schema, 'spec'),
  Container: container,
  PodSecurityContext: partOf(Pod.schema, 'spec', 'securityContext'),
  SecurityContext: container && partOf(container, 'securityContext'),
  JobSpec: partOf(Job.schema, 'spec'),
  ServiceSpec: partOf(Service.schema, 'spec'),
};

function partOf(schema: Schema, ...path: string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((part, name) => part?.properties?.[name], schema);
}

/** The fields of a type of the API, by name. */
function fieldsOf(type: string): string[] {
  return Object.keys(schemas[type]?.properties ?? assert.fail(`${type} has no schema here`)).toSorted();
}

describe('the list of what the local cluster supports', () => {
  for (const [type, ignored] of Object.entries(ignoredFields)) {
    test(`has the fields of ${type} that no controller and no node reads`, () => {
      const unread = fieldsOf(type).filter((field) => !mentions(withoutTexts(cluster), field));
      const acted = serverFields[type] ?? [];
      assert.deepEqual(
        unread.filter((field) => !acted.includes(field)),
        ignored.toSorted(),
      );
      assert.deepEqual(
        acted.filter((field) => !mentions(server, field)),
        [],
      );
    });
  }

  test('has the kinds that no controller, no node and no part of the API server acts on', () => {
    // Strategies and defaults concern every kind; they are not an action.
    const folders = '{access,admission,controllers,handler,reviews,subresources,webhooks}';
    const acting = withoutTexts(codeOf('apiserver', folders));
    const unserved = builtinKinds.filter(({ kind }) => !mentions(cluster, kind) && !mentions(acting, kind));
    // Controllers write Events with a recorder, which names their kind.
    const names = unserved.map(({ kind }) => kind).filter((kind) => kind !== 'Event');
    assert.deepEqual(
      inertKinds.filter((kind) => !names.includes(kind)),
      [],
      'these are acted on: take them off the list',
    );
    assert.deepEqual(
      names.filter((kind) => !inertKinds.includes(kind)),
      [],
      'nothing acts on these: put them on the list',
    );
  });
});
