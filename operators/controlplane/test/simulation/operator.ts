// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { electedProcesses, operatorProcess } from '@forge/simulation/scenario/operator-process.ts';
import type { Process, ProcessContext } from '@forge/simulation/scenario/scenario.ts';
import type { Environment } from '@forge/simulation/world/environment.ts';
import { keystoneHttp } from '@forge/simulation/world/keystone-http.ts';
import { grantLeastPrivilege, operatorUser } from '@forge/testing/least-privilege.ts';
import { newControllers, ownKinds } from '../controllers.ts';
import { withNumberedValues } from './minted-values.ts';

/** The name of the operator when it is one process. */
export const processName = 'controlplane';

/** What the processes of an operator share in a run. */
interface OperatorRun {
  readonly keystones: Environment['keystones'];
  /** How many secret values of application credentials there were so far. */
  readonly minted: () => number;
}

const nowhere = { send: () => Promise.reject(new Error('these controllers do not run')) };

/** The controllers, for what they declare. */
export const declaredControllers = newControllers(nowhere, systemClock);

/** Allows the operator what it says it needs, and nothing else. */
export async function grantAccess(client: Client): Promise<void> {
  const lease = { namespace: 'default', name: processName };
  await grantLeastPrivilege(client, { controllers: declaredControllers, requires: ownKinds, lease });
}

const comparable =
  ({ minted }: OperatorRun) =>
  (process: Process): Process => ({
    ...process,
    user: operatorUser(processName),
    frugal: true,
    start: (host) => process.start({ ...host, random: withNumberedValues(host.random, minted) }),
  });

const controllersOn =
  ({ keystones }: OperatorRun) =>
  (host: ProcessContext) =>
    newControllers(keystoneHttp(host, keystones), host.clock);

/** The operator as one process, without resync. */
export const oneOperator = (run: OperatorRun): Process[] =>
  [operatorProcess(processName, controllersOn(run))].map(comparable(run));

/** The operator as two processes, of which one leads. */
export const electedOperators = (run: OperatorRun): Process[] =>
  electedProcesses(processName, controllersOn(run)).map(comparable(run));
