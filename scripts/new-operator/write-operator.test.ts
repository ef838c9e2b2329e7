// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pluralOf, refusalOf, writeOperator } from './write-operator.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const cluster = { name: 'vault', kind: 'OpenCluster' };

describe('a new operator', () => {
  test('is written in the rooms of operators, with its own names, and is registered', async () => {
    const root = await mkdtemp(join(tmpdir(), 'forge-new-operator-'));
    try {
      await mkdir(join(root, 'operators'));
      await cp(join(repository, 'operators/operators.ts'), join(root, 'operators/operators.ts'));
      const files = await writeOperator(root, cluster);
      for (const room of ['api', 'conditions', 'objects', 'steps']) {
        assert.ok(files.includes(`operators/vault/${room}/README.md`), room);
      }
      const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
      assert.deepEqual(
        files.filter((file, index) => /specimen|skeleton/i.test(file + texts[index])),
        [],
      );
      const textOf = (file: string) => texts[files.indexOf(file)] ?? '';
      assert.match(textOf('operators/vault/api/open-cluster.ts'), /plural: 'openclusters'/);
      assert.match(
        textOf('operators/vault/guide/README.md'),
        /^An OpenCluster is .*reference\/open-cluster-steps\.md/ms,
      );
      assert.match(
        textOf('operators/vault/test/start-vault-operator.ts'),
        /^export async function startVaultOperator\(/m,
      );
      assert.match(textOf('operators/vault/reconcile.ts'), /from '\.\/api\/open-cluster\.ts';$/m);
      assert.match(textOf('operators/operators.ts'), /^import \{ vault \} from '@forge\/vault\/register\.ts';$/m);
      assert.match(textOf('operators/operators.ts'), /^\/\/ SPDX-License-Identifier/);
      assert.match(textOf('operators/operators.ts'), /^const registered = \[.*, vault\] as const/m);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  const refused: readonly (readonly [name: string, kind: string, remedy: RegExp])[] = [
    ['Nova', 'Nova', /use lower-case letters and digits/],
    ['nova', 'nova', /begin with an upper-case letter/],
    ['keystone', 'Other', /is the name of operators\/keystone: choose another name/],
    ['kube', 'Kube', /is the name of packages\/kube: choose another name/],
    ['identity', 'Keystone', /has a page already, docs\/reference\/keystone\.md: name another kind/],
    ['identity', 'Names', /"Names" has a meaning in the code/],
    ['config', 'Settings', /"config" has a meaning in the code/],
    ['class', 'Class', /"class" has a meaning in the code/],
  ];
  for (const [name, kind, remedy] of refused) {
    test(`is refused with a remedy: ${name} ${kind}`, async () => {
      assert.match((await refusalOf(repository, { name, kind })) ?? '', remedy);
    });
  }

  test('has a resource in the plural of its kind', () => {
    const kinds = ['Cluster', 'Mailbox', 'Address', 'Branch', 'Policy', 'Gateway'];
    assert.deepEqual(kinds.map(pluralOf), ['Clusters', 'Mailboxes', 'Addresses', 'Branches', 'Policies', 'Gateways']);
  });

  test('may have a free name', async () => {
    assert.equal(await refusalOf(repository, cluster), undefined);
  });
});
