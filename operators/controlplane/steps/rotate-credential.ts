// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import type { Change } from '@forge/runtime/objects/change.ts';
import { isReady, readinessChanged } from '@forge/runtime/objects/ready-condition.ts';
import { blocked, checkpoint, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads, readsAny, readsIndexed } from '@forge/runtime/steps/reads.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { rotationEvents, rotationReady as rows } from '../contract/rotation.ts';
import { ControlPlane } from '../control-plane.ts';
import type { CredentialRotation } from '../credential-rotation.ts';
import { adminApplicationCredential } from '../kind/rotation.ts';
import { namesOf, passwordHashAnnotation, passwordRefOf } from '../names.ts';
import { valueIn } from '../objects/credential/credential-secrets.ts';
import { passwordHash } from '../objects/password-hash.ts';
import { rotationStep, type RotationServices } from '../step.ts';

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
  reads: [
    controlPlanes,
    credentials,
    secrets,
    reads(ClusterSecretStore, (_, { secretStore }) => [secretStore], { predicate: readinessChanged }),
  ],
  touches: [touched(ApplicationCredential, 'patch')],
  writes: ['lastTriggeredGeneration', 'pendingUID', 'pendingGeneration'],
  async run({ object, services: { secretStore: store }, get, select, fetch, patch, event }) {
    const { spec, status = {} } = object;
    const { namespace = '', generation = 0 } = object.metadata;
    const target: string = spec.target;
    if (target !== adminApplicationCredential) return blocked(rows.unsupportedTarget({ target }));
    // Withdrawn before it was done; a later request is about the credential of its own time.
    if (spec.reMint !== true && status.pendingUID !== undefined) return checkpoint(nothingPending);
    if ([spec.intervalDays, spec.preRotationDays, spec.gracePeriodDays].some((days) => days !== undefined)) {
      await event(rotationEvents.deferred(), { once: String(generation) });
    }

    const found = select(controlPlanes);
    const [controlPlane] = found;
    if (controlPlane === undefined) return waiting(rows.noControlPlane({ namespace }));
    if (found.length > 1) return blocked(rows.ambiguous({ count: found.length, namespace }));

    const name = namesOf(controlPlane).applicationCredential;
    const credential = select(credentials).find(({ metadata }) => metadata.name === name);
    if (spec.bootstrap === true) {
      return credential === undefined ? waiting(rows.waitingForBootstrap()) : ready(rows.bootstrapped());
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
      if (pendingUID === undefined && credential === undefined) return waiting(rows.waitingForCredential());
      const isTouched = pendingUID !== undefined && (credential?.metadata.uid !== pendingUID || !hashOf(credential));
      if (!isTouched && !isStoreReady) return waiting(rows.storeNotReady({ store }));
      // Written down before the credential is touched: a crash in between must not replace its successor, too.
      if (pendingUID === undefined)
        return checkpoint({ pendingUID: credential?.metadata.uid, pendingGeneration: generation });
      if (credential?.metadata.uid === pendingUID) await nudge(credential);
      const done = { lastTriggeredGeneration: pendingGeneration, ...nothingPending };
      // Changed since: that is a request of its own, about the credential of its own time.
      return pendingGeneration === generation ? ready(rows.triggered(), { status: done }) : checkpoint(done);
    }
    // The old credential is revoked before there is another one: no reason to take back what was said.
    if (credential === undefined)
      return isTriggered(object) ? ready(rows.triggered()) : waiting(rows.waitingForCredential());

    const { name: secretName, key } = passwordRefOf(controlPlane);
    const password = valueIn(await fetch(Secret, secretName), key);
    if (password === undefined) return waiting(rows.waitingForPassword());
    if (hashOf(credential) === passwordHash(password.reveal())) return ready(rows.notNeeded());
    if (hashOf(credential) && !isStoreReady) return waiting(rows.storeNotReady({ store }));
    await nudge(credential);
    return ready(rows.triggered());
  },
});

const nothingPending = { pendingUID: undefined, pendingGeneration: undefined };

/** Whether another credential was asked for at the last look. */
function isTriggered({ status }: CredentialRotation): boolean {
  const { reason } = rows.triggered();
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.reason === reason) === true;
}

/** Digest of the password that the credential was minted with; empty once another one is asked for. */
function hashOf(credential: ApplicationCredential | undefined): string | undefined {
  return credential?.metadata.annotations?.[passwordHashAnnotation];
}
