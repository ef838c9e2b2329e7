// SPDX-License-Identifier: Apache-2.0
import { manager } from '@forge/runtime/controller/manager.ts';
import { planPass, type Plan } from '@forge/runtime/plan/plan-pass.ts';
import { openbaoApi } from '../clients/openbao-api.ts';
import { rememberedLogins } from '../clients/remembered-logins.ts';
import { openbaoController, openbaoOptions } from '../reconcile.ts';
import type { StartedOpenBaoOperator } from './start-openbao-operator.ts';

/** What a pass would do now, in another process; calls of servers fail and are recorded. */
export async function planNow(operator: StartedOpenBaoOperator, calls: string[]): Promise<Plan> {
  const { cluster } = operator;
  const refuse = async (request: { url: string }) => {
    calls.push(request.url);
    throw new Error('a plan calls nobody');
  };
  const openbao = openbaoApi(() => ({ send: refuse, stream: refuse }));
  const services = {
    reading: { openbao, logins: rememberedLogins(cluster.clock), ownNamespace: 'openbao-system' },
    acting: { openbao },
  };
  const looking = manager(cluster);
  looking.add({ ...openbaoController(services), reconcile: async () => undefined });
  await looking.start();
  await cluster.clock.settle();
  const context = { ...cluster, cache: looking.cache, signal: new AbortController().signal };
  const plan = await planPass(openbaoOptions(services), await operator.resource(), context);
  await looking.stop();
  return plan;
}
