// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type ObjectMeta } from '@forge/kube/objects/object.ts';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import type { ReconcileContext } from '../../controller/controller.ts';
import { ensureAdopterAlive } from '../../controller/ensure-owner-alive.ts';
import { releaseObject } from '../../controller/finalizers.ts';
import { SecretValue } from '../../secrets/secret-value.ts';
import type { Modification } from '../../steps/modified.ts';
import { isSameKind } from '../../steps/owned.ts';
import { StepBug } from '../../steps/step-bug.ts';
import type { ContextModifications } from '../../steps/step-context.ts';
import type { Services, Step, StepResource } from '../../steps/step.ts';
import type { PassContext } from './build-step-context.ts';
import { labelSelectorOf } from './context-reads.ts';
import { deleteLive } from './delete-live.ts';
import { ownedBy } from './ownership.ts';
import { checkAccepted } from './write-rejected.ts';

/** The changes that a step declares in `modifies`; others throw a StepBug. */
export function contextModifications<T extends StepResource, S extends Services>(
  { kind: ownKind, object }: PassContext<T, S>,
  step: Step<T, S>,
  reconcile: ReconcileContext,
): ContextModifications {
  const { client, signal } = reconcile;
  const { namespace } = object.metadata;
  const owner = { kind: ownKind, object };

  function check(kind: Kind, modification: Modification): void {
    const isDeclared = step.modifies.some(
      (each) => isSameKind(each.kind, kind) && each.modifies.includes(modification),
    );
    if (isDeclared) return;
    const remedy = `declare it in modifies, with modified(${kind.kind}, '${modification}')`;
    throw new StepBug(`step ${step.name} may not ${modification} a ${kind.kind}: ${remedy}`);
  }

  return {
    async patch(kind, live, change, { exact = false } = {}) {
      check(kind, 'patch');
      const wanted = mergePatch(live, change) as typeof live;
      if (isDeepStrictEqual(wanted, live)) return live;
      await ensureAdopterAlive(owner, { live, wanted }, reconcile);
      const { uid, resourceVersion } = live.metadata;
      const metadata = { ...change.metadata, uid, ...(exact && { resourceVersion }) };
      const patched = client.patch(kind, refOf(live), 'merge', { ...change, metadata }, { signal });
      return await checkAccepted(kind, live, patched);
    },

    async release(kind, live, { finalizers = () => false, owners = () => false }) {
      check(kind, 'release');
      await checkAccepted(kind, live, releaseObject(kind, live, { finalizers, owners }, reconcile));
    },

    async deleteUnowned(kind, live, options) {
      check(kind, 'delete');
      await deleteLive(kind, live, reconcile, options);
    },

    async deleteCollection(kind, labels) {
      check(kind, 'deleteCollection');
      const labelSelector = labelSelectorOf(labels);
      if (labelSelector === '') throw new StepBug(`step ${step.name} would delete every ${kind.kind}: give labels`);
      try {
        await client.deleteAll(kind, { namespace, labelSelector }, { propagation: 'Background', signal });
      } catch (error) {
        // The kind is not installed: nothing to delete.
        if (!isApiError(error, 'NotFound')) throw error;
      }
    },

    async requestToken(name, { audiences, validFor }) {
      check(ServiceAccount, 'requestToken');
      const metadata: ObjectMeta = { name, ...(namespace !== undefined && { namespace }) };
      const spec = { audiences, expirationSeconds: validFor / 1000 };
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec };
      const issued = client.create<KubeObject>(ServiceAccount, request, { subresource: 'token', signal });
      const { status } = (await checkAccepted(ServiceAccount, request, issued)) as KubeObject & {
        status: { token: string; expirationTimestamp: string };
      };
      return { token: new SecretValue(status.token), expires: status.expirationTimestamp };
    },

    async dryRunCreate(desired) {
      const declared = step.modifies.find(
        ({ kind }) => kind.kind === desired.kind && kind.apiVersion === desired.apiVersion,
      );
      if (declared === undefined)
        throw new StepBug(`step ${step.name} dry-runs a ${desired.kind}, which is not in its modifies`);
      check(declared.kind, 'dryRunCreate');
      const wanted = ownedBy(desired, object, {});
      try {
        await checkAccepted(declared.kind, wanted, client.create(declared.kind, wanted, { dryRun: true, signal }));
      } catch (error) {
        if (!isApiError(error, 'AlreadyExists')) throw error;
      }
    },
  };
}
