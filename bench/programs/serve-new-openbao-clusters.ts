// SPDX-License-Identifier: Apache-2.0
import { OpenBaoCluster } from '@forge/openbao/api/openbao-cluster.ts';
import { openbaoConditions } from '@forge/openbao/conditions/condition-catalog.ts';
import { serveNew } from '../harness/serve-new.ts';
import { createOpenBaoCluster, prepareOpenBaoClusters } from './create-openbao-cluster.ts';
import { instantServers } from './instant-servers.ts';

await serveNew({
  kind: OpenBaoCluster,
  conditions: openbaoConditions,
  prepare: prepareOpenBaoClusters,
  controllers: [instantServers],
  create: createOpenBaoCluster,
});
