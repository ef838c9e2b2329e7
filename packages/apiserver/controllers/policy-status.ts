// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { ValidatingAdmissionPolicy } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { inTurns } from '../matching/turn.ts';
import { typeCheck } from '../policies/compiled/type-check.ts';
import type { ServerContext } from '../request/server-context.ts';
import { workQueue, type AllowCorrection } from './work-queue.ts';

const prefix = `${resourceName(ValidatingAdmissionPolicy)}//`;

/** Type-checks the expressions of admission policies, and writes the result into their status. */
export function policyStatus(server: ServerContext, api: Client): () => Promise<void> {
  const { store, resources } = server;

  async function check(key: string, allowCorrection: AllowCorrection): Promise<void> {
    const policy = store.current.objects.get(key)?.value as ValidatingAdmissionPolicy | undefined;
    if (policy === undefined) return;
    const { name, uid, generation = 0 } = policy.metadata;
    if (generation <= (policy.status?.observedGeneration ?? 0) || !allowCorrection(`${uid} ${generation}`)) return;
    const expressionWarnings = await inTurns(typeCheck(policy, resources));
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
    const { apiVersion, kind } = policy;
    const applied = { apiVersion, kind, metadata: { name }, status: { observedGeneration: generation, typeChecking } };
    const manager = { fieldManager: 'validatingadmissionpolicy-status', force: true, subresource: 'status' } as const;
    await api.apply(ValidatingAdmissionPolicy, applied, manager);
  }

  const queue = workQueue('policy status', server, check);
  const enqueueAll = (): void => {
    for (const { key } of store.current.objects.withPrefix(prefix)) queue.add(key);
  };
  enqueueAll();
  const unsubscribe = store.subscribe(resourceName(ValidatingAdmissionPolicy), enqueueAll);
  return async () => {
    unsubscribe();
    await queue.stop();
  };
}
