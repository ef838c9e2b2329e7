// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { readinessOf } from '@forge/runtime/conditions/readiness.ts';
import { startingPoint, type StartingPoint } from '@forge/simulation/world/starting-point.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { openbaoConditions } from '../../conditions/condition-catalog.ts';
import { createApiServerService } from '../api-server-service.ts';
import { home } from '../openbao-fixture.ts';
import { grantAccess, oneOperator } from './operator.ts';

/** A cluster in which this OpenBaoCluster is available, if any. */
export function openbaoStart(openbao?: OpenBaoCluster): Promise<StartingPoint> {
  return startingPoint({
    kinds: [OpenBaoCluster],
    standIns: [],
    openbao: true,
    setUp: prepare,
    fill() {},
    processes: oneOperator,
    install: openbao && {
      create: (user) => user.create(OpenBaoCluster, openbao),
      problemOf(state) {
        const { unmet } = readinessOf(openbaoConditions, state.find(OpenBaoCluster, home)?.status?.conditions);
        return unmet.length === 0 ? undefined : JSON.stringify(unmet);
      },
    },
  });
}

async function prepare(user: Client): Promise<void> {
  await createApiServerService(user);
  await grantAccess(user);
}
