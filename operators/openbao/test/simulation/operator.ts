// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { HttpClient } from '@forge/runtime/http/http-client.ts';
import { electedProcesses, operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import type { Process, ProcessContext } from '@forge/simulation/scenario/scenario.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { grantLeastPrivilege, operatorUser } from '@forge/testing/least-privilege.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { openbaoApi } from '../../clients/openbao-api.ts';
import { rememberedLogins } from '../../clients/remembered-logins.ts';
import { openbaoController } from '../../reconcile.ts';

/** The name of the operator when it is one process. */
export const processName = 'openbao';

const nowhere = () => Promise.reject(new Error('nothing is asked for here'));

function controllerOver(http: Pick<HttpClient, 'send'>, clock: Pick<Clock, 'monotonic'>) {
  const openbao = openbaoApi(() => ({ ...http, stream: nowhere }));
  const logins = rememberedLogins(clock);
  return openbaoController({ reading: { openbao, logins, ownNamespace: 'openbao-system' }, acting: { openbao } });
}

/** The controllers, for what they declare. */
export const declaredControllers = [controllerOver({ send: nowhere }, { monotonic: () => 0 })];

/** Allows the operator what it says it needs, and nothing else. */
export async function grantAccess(client: Client): Promise<void> {
  const lease = { namespace: 'default', name: processName };
  await grantLeastPrivilege(client, { controllers: declaredControllers, requires: [OpenBaoCluster], lease });
}

const restricted = (process: Process): Process => ({ ...process, user: operatorUser(processName), frugal: true });

type Servers = Pick<Environment, 'openbao'>;

const controllersOn =
  ({ openbao }: Servers) =>
  (host: ProcessContext) => [controllerOver(openbao.reachedBy(host), host.clock)];

/** The operator as one process, without resync. */
export const oneOperator = (servers: Servers): Process[] =>
  [operatorProcess(processName, controllersOn(servers))].map(restricted);

/** The operator as two processes, of which one leads. */
export const electedOperators = (servers: Servers): Process[] =>
  electedProcesses(processName, controllersOn(servers)).map(restricted);
