// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { OpenBaoCluster } from '@forge/openbao/api/openbao-cluster.ts';
import { createApiServerService } from '@forge/openbao/test/api-server-service.ts';
import { openbaoFixture } from '@forge/openbao/test/openbao-fixture.ts';

const namespace = 'secrets';

/** Installs the kind, and what the clusters share. */
export async function prepareOpenBaoClusters(to: Client): Promise<void> {
  await to.create(CustomResourceDefinition, crdOf(OpenBaoCluster));
  await to.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await createApiServerService(to);
}

/** Creates the OpenBaoCluster of three servers with this number. */
export async function createOpenBaoCluster(to: Client, number: number): Promise<void> {
  await to.create(OpenBaoCluster, { ...openbaoFixture(), metadata: { namespace, name: `bao-${number}` } });
}
