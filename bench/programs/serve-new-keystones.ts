// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { keystoneConditions } from '@forge/keystone/conditions/condition-catalog.ts';
import { CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { createKeystone } from '../harness/create-keystone.ts';
import { instantControllers } from '../harness/instant-controllers.ts';
import { serveNew } from '../harness/serve-new.ts';

const namespace = 'openstack';

await serveNew({
  kind: Keystone,
  conditions: keystoneConditions,
  async prepare(api) {
    await api.create(CustomResourceDefinition, crdOf(Keystone));
    await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  },
  controllers: instantControllers(),
  create: (api, number) => createKeystone(api, { namespace, name: `identity-${number}` }),
});
