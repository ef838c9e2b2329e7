// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readUserRecipes } from '@forge/cluster/images/user-recipes.ts';
import { Deployment } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { parseAllDocuments } from 'yaml';
import { guideCommands } from './guide-commands.ts';

const folder = new URL('../../../../docs/neighbours/', import.meta.url);

/** The images of the Deployments in a file of the guide. */
async function imagesOf(file: string): Promise<(string | undefined)[]> {
  const text = await readFile(new URL(file, folder), 'utf8');
  const objects = parseAllDocuments(text).map((each) => each.toJS() as KubeObject);
  const deployments = objects.filter(({ kind }) => kind === Deployment.kind) as Deployment[];
  return deployments.map(({ spec }) => spec?.template.spec?.containers[0]?.image);
}

describe('the guide to real neighbours', () => {
  test('omits the stand-ins of the operators that it installs, and builds those first', async () => {
    const { without, prepare, install } = await guideCommands();
    assert.deepEqual([...without].toSorted(), ['external-secrets', 'korc', 'mariadb-operator']);
    assert.match(prepare.join(''), /build\.sh/);
    for (const name of without) assert.match(install.join(''), new RegExp(`manifests/${name}\\.yaml`));
  });

  test('has a recipe for every image that its manifests name', async () => {
    const { recipes, problems } = await readUserRecipes(fileURLToPath(new URL('recipes', folder)));
    assert.deepEqual(problems, []);
    const known = recipes.flatMap(({ references }) => references);
    for (const file of ['mariadb-operator.yaml', 'external-secrets.yaml']) {
      for (const image of await imagesOf(file))
        assert.ok(image !== undefined && known.includes(image), `${image} of ${file}`);
    }
  });
});
