// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { liveResource, type LiveResource } from '@forge/simulation/fields/live-resource.ts';
import type { PreparedCluster } from '@forge/simulation/scenario/scenario.ts';
import { environment } from '@forge/simulation/world/environment.ts';
import { prepareCluster } from '@forge/simulation/world/prepare-cluster.ts';
import { secretIn } from '@forge/testing/secret-in.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { openbaoApi } from '../../clients/openbao-api.ts';
import { rememberedLogins } from '../../clients/remembered-logins.ts';
import { openbaoController } from '../../reconcile.ts';
import { createApiServerService } from '../api-server-service.ts';
import { home } from '../openbao-fixture.ts';

/** The Secret with the credentials of a seal. */
export const sealCredentials = 'seal';

/** A cluster with everything that an OpenBaoCluster may refer to. */
export function clusterForOpenBao(): Promise<PreparedCluster> {
  return prepareCluster({
    kinds: [OpenBaoCluster],
    async setUp(user) {
      await createApiServerService(user);
      await user.create(Secret, secretIn(home.namespace)(sealCredentials, { token: 's.seal' }));
    },
  });
}

const nowhere = () => Promise.reject(new Error('there is no server'));

/**
 * An OpenBaoCluster with its operator, at rest before its first pod: nothing starts pods here. So it has no data, every
 * change of the spec reaches its objects, and can be undone.
 */
export function liveCluster(from: PreparedCluster, resource: OpenBaoCluster): Promise<LiveResource<OpenBaoCluster>> {
  const openbao = openbaoApi(() => ({ send: nowhere, stream: nowhere }));
  return liveResource({
    from,
    environment: environment({ workloads: false }),
    kind: OpenBaoCluster,
    resource,
    // Nobody else acts here, so that nothing comes late.
    settleTime: seconds(1),
    controllers: () => [
      openbaoController({
        reading: { openbao, logins: rememberedLogins({ monotonic: () => 0 }), ownNamespace: 'openbao-system' },
        acting: { openbao },
      }),
    ],
  });
}
