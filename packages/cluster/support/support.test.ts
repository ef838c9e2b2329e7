// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Client } from '@forge/kube/client/client.ts';
import { builtinKinds, type Pod } from '@forge/kube/kinds/builtin.ts';
import { prepareVolumes } from '../node/volumes/pod-volumes.ts';
import { fieldsOf } from './api-fields.ts';
import { ignoredFields, inertKinds, serverFields, volumeSources } from './support.ts';

/** The code below folders of a package, without tests and comments, and without files whose path matches `leftOut`. */
function codeOf(name: string, folders: string, leftOut?: RegExp): string {
  const cwd = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const files = globSync(`${folders}{,/**/*}.ts`, { cwd }).filter(
    (file) => !/test|e2e/.test(file) && leftOut?.test(file) !== true,
  );
  const texts = files.map((file) => readFileSync(`${cwd}/${file}`, 'utf8'));
  return texts.join('\n').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

const mentions = (code: string, name: string) => new RegExp(String.raw`\b${name}\b`).test(code);
const withoutTexts = (code: string) => code.replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '');
const cluster = codeOf('cluster', '{node,controllers,objects}');
const server = codeOf('apiserver', '{admission,controllers,registry,subresources}');

/** Whether the node supports volumes of this source. */
async function isSupported(source: string, podFolder: string): Promise<boolean> {
  const pod = { metadata: { name: 'a', namespace: 'default' }, spec: { volumes: [{ name: 'v', [source]: {} }] } };
  const objects = { configMap: () => undefined, secret: () => undefined };
  const inputs = { pod: pod as unknown as Pod, podIP: '', objects, tokenOf: () => '' };
  const places = { podFolder, volumesDir: podFolder, client: {} as Client };
  return prepareVolumes(inputs, places).then(
    () => true,
    ({ message }: Error) => !message.includes('the node does not support volumes of'),
  );
}

const ofPods = codeOf('cluster', '{node,controllers/scheduler,controllers/ownership,objects}');
const ofSets = codeOf('cluster', 'controllers/stateful-set');
/** The code that acts on each type; in other code, a field of that name may belong to another type. */
const codes: Readonly<Record<string, string>> = {
  PodSpec: ofPods,
  Container: ofPods,
  PodSecurityContext: ofPods,
  SecurityContext: ofPods,
  JobSpec: codeOf('cluster', 'controllers/job'),
  StatefulSetSpec: ofSets,
  RollingUpdateStatefulSetStrategy: ofSets,
  ServiceSpec: codeOf('cluster', '{node/network,node/references,controllers/{endpoints,unserved}}'),
};
/** Fields whose names occur in the code, but for another type. */
const homonyms: Readonly<Record<string, readonly string[]>> = { PodSpec: ['resources'] };

describe('the list of what the local cluster supports', () => {
  for (const [type, ignored] of Object.entries(ignoredFields)) {
    test(`has the fields of ${type} that no controller and no node reads`, () => {
      const code = withoutTexts(codes[type] ?? '');
      const others = homonyms[type] ?? [];
      const unread = fieldsOf(type).filter((field) => others.includes(field) || !mentions(code, field));
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

  test('has the sources of volumes that the node supports', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forge-support-'));
    const sources = fieldsOf('Volume').filter((field) => field !== 'name');
    const supported = await Promise.all(
      sources.map(async (source) => ((await isSupported(source, folder)) ? [source] : [])),
    );
    rmSync(folder, { recursive: true });
    assert.deepEqual(volumeSources.toSorted(), supported.flat());
  });

  test('has the kinds that no controller, no node and no part of the API server acts on', () => {
    // Strategies, defaults and permissions exist for every kind; they do not count as actions.
    const folders = '{access,admission,controllers,handler,reviews,subresources,webhooks}';
    const deciding = /certificate-admission|node-(authorizer|relations|restriction)/;
    const acting = withoutTexts(codeOf('apiserver', folders, deciding));
    const unserved = builtinKinds.filter(({ kind }) => !mentions(cluster, kind) && !mentions(acting, kind));
    // Controllers write Events with a recorder, so that they do not name the kind.
    const names = unserved.map(({ kind }) => kind).filter((kind) => kind !== 'Event');
    assert.deepEqual(
      inertKinds.filter((kind) => !names.includes(kind)),
      [],
      'something acts on these kinds: remove them from the list',
    );
    assert.deepEqual(
      names.filter((kind) => !inertKinds.includes(kind)),
      [],
      'nothing acts on these kinds: add them to the list',
    );
  });
});
