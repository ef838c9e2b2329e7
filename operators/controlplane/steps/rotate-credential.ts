// SPDX-License-Identifier: Apache-2.0
// A CredentialRotation asks for a new credential; the ControlPlane mints it. The request is one change: the digest of the
// password on the ApplicationCredential is cleared, which the KORC step takes for a changed password.
//
// A request must replace exactly one credential. So the uid of the credential is written to status before it is touched:
// after a crash in between, a successor that is there already is left alone. One generation of the spec is one request.
//
// Nothing is asked for while the secret store is not ready, since nobody would get the new credential; and nothing where the
// namespace has no ControlPlane or several. Without a request, a password that changed is enough.
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { secretStoreRead } from '@forge/openstack/secret-store.ts';
import type { Change } from '@forge/runtime/objects/change.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { blocked, checkpoint, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { readsAny, readsIndexed } from '@forge/runtime/steps/reads.ts';
import { ControlPlane } from '../api/control-plane.ts';
import type { CredentialRotation } from '../api/credential-rotation.ts';
import { namesOf, passwordHashAnnotation, passwordRefOf } from '../api/names.ts';
import { adminApplicationCredential } from '../api/rotation.ts';
import type { RotationServices } from '../clients/services.ts';
import { rotationEvents, rotationReady as cases } from '../conditions/rotation.ts';
import { valueIn } from '../objects/credential/credential-secrets.ts';
import { passwordHash } from '../objects/password-hash.ts';
import { rotationStep } from './step.ts';

/** All objects of the kind in the namespace. */
const inNamespace = <R extends KubeObject>(kind: Kind<R>, predicate: (change: Change<R>) => boolean) =>
  readsIndexed<CredentialRotation, RotationServices, R>(
    kind,
    {
      wanted: ({ metadata }) => [metadata.namespace ?? ''],
      valuesOf: ({ metadata }) => [metadata.namespace ?? ''],
    },
    { predicate },
  );

const controlPlanes = inNamespace(
  ControlPlane,
  ({ before, after }) => before?.metadata.generation !== after?.metadata.generation,
);
const credentials = inNamespace(
  ApplicationCredential,
  ({ before, after }) => before?.metadata.uid !== after?.metadata.uid || hashOf(before) !== hashOf(after),
);
const secrets = readsAny<CredentialRotation, RotationServices, Secret>(Secret);

/** Clears the digest of the password on the ApplicationCredential: the ControlPlane then mints another one. */
export const rotateCredential = rotationStep({
  name: 'CredentialRotation',
  // Not measured: the metrics are those of a ControlPlane's steps.
  condition: { type: 'Ready', informational: true },
  reads: [controlPlanes, credentials, secrets, secretStoreRead],
  modifies: [modified(ApplicationCredential, 'patch')],
  writes: ['lastTriggeredGeneration', 'pendingUID', 'pendingGeneration'],
  async run({ object, services: { secretStore: store }, get, select, fetch, patch, event }) {
    const { spec, status = {} } = object;
    const { namespace = '', generation = 0 } = object.metadata;
    const target: string = spec.target;
    if (target !== adminApplicationCredential) return blocked(cases.unsupportedTarget({ target }));
    // Withdrawn before it was carried out; a later request is about the credential that exists then.
    if (spec.reMint !== true && status.pendingUID !== undefined) return checkpoint(nothingPending);
    if ([spec.intervalDays, spec.preRotationDays, spec.gracePeriodDays].some((days) => days !== undefined)) {
      await event(rotationEvents.deferred(), { once: String(generation) });
    }

    const found = select(controlPlanes);
    const [controlPlane] = found;
    if (controlPlane === undefined) return waiting(cases.noControlPlane({ namespace }));
    if (found.length > 1) return blocked(cases.ambiguous({ count: found.length, namespace }));

    const name = namesOf(controlPlane).applicationCredential;
    const credential = select(credentials).find(({ metadata }) => metadata.name === name);
    if (spec.bootstrap === true) {
      return credential === undefined ? waiting(cases.waitingForBootstrap()) : ready(cases.bootstrapped());
    }

    // The ControlPlane would not mint before, and whoever logs in would not get the new credential.
    const isStoreReady = isReady(get(ClusterSecretStore, store));
    /** Asks for another credential, unless that has been done. */
    const nudge = async (live: ApplicationCredential) => {
      if (!hashOf(live)) return;
      await patch(ApplicationCredential, live, { metadata: { annotations: { [passwordHashAnnotation]: '' } } });
      await event(rotationEvents.nudged());
    };

    if (spec.reMint === true && status.lastTriggeredGeneration !== generation) {
      const { pendingUID, pendingGeneration = generation } = status;
      if (pendingUID === undefined && credential === undefined) return waiting(cases.waitingForCredential());
      const hasBegun = pendingUID !== undefined && (credential?.metadata.uid !== pendingUID || !hashOf(credential));
      if (!hasBegun && !isStoreReady) return waiting(cases.storeNotReady({ store }));
      if (pendingUID === undefined)
        return checkpoint({ pendingUID: credential?.metadata.uid, pendingGeneration: generation });
      if (credential?.metadata.uid === pendingUID) await nudge(credential);
      const done = { lastTriggeredGeneration: pendingGeneration, ...nothingPending };
      // Changed since: that is another request, about the credential that exists then.
      return pendingGeneration === generation ? ready(cases.triggered(), { status: done }) : checkpoint(done);
    }
    // The old credential is revoked before there is a new one: that does not change the condition.
    if (credential === undefined)
      return isTriggered(object) ? ready(cases.triggered()) : waiting(cases.waitingForCredential());

    const { name: secretName, key } = passwordRefOf(controlPlane);
    const password = valueIn(await fetch(Secret, secretName), key);
    if (password === undefined) return waiting(cases.waitingForPassword());
    if (hashOf(credential) === passwordHash(password.reveal())) return ready(cases.notNeeded());
    if (hashOf(credential) && !isStoreReady) return waiting(cases.storeNotReady({ store }));
    await nudge(credential);
    return ready(cases.triggered());
  },
});

const nothingPending = { pendingUID: undefined, pendingGeneration: undefined };

/** Whether a new credential was requested when it was last observed. */
function isTriggered({ status }: CredentialRotation): boolean {
  const { reason } = cases.triggered();
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.reason === reason) === true;
}

/** Digest of the password that the credential was minted with; empty once a new one is requested. */
function hashOf(credential: ApplicationCredential | undefined): string | undefined {
  return credential?.metadata.annotations?.[passwordHashAnnotation];
}
