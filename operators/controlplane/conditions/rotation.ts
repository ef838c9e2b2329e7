// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { adminApplicationCredential } from '../api/rotation.ts';
import { credentialPolling, storeNotReady } from './rechecks.ts';

/** What is reported about a CredentialRotation. */
export const rotationReady = conditionCases('Ready', {
  unsupportedTarget: {
    status: 'False',
    reason: 'UnsupportedTarget',
    message: `rotation target "{target}" is not supported; only "${adminApplicationCredential}" is supported`,
  },
  controlPlanesNotListed: {
    status: 'False',
    reason: 'ControlPlaneListError',
    message: 'listing ControlPlanes in namespace "{namespace}": {error}',
    unobserved: 'this read is answered from the cache, and cannot fail',
  },
  noControlPlane: {
    ...credentialPolling,
    reason: 'NoControlPlane',
    message: 'no ControlPlane found in namespace "{namespace}"',
  },
  ambiguous: {
    status: 'False',
    reason: 'AmbiguousControlPlane',
    message: '{count} ControlPlanes found in namespace "{namespace}"; cannot determine the rotation target',
  },
  bootstrapped: {
    status: 'True',
    reason: 'BootstrapComplete',
    message: 'admin application credential already exists; bootstrap is a no-op',
  },
  waitingForBootstrap: {
    ...credentialPolling,
    reason: 'WaitingForBootstrap',
    message: 'admin application credential not yet minted by the ControlPlane reconciler; waiting',
  },
  waitingForCredential: {
    ...credentialPolling,
    reason: 'WaitingForApplicationCredential',
    message: 'admin application credential does not exist yet; cannot rotate',
  },
  waitingForPassword: {
    ...credentialPolling,
    reason: 'WaitingForAdminPassword',
    message: 'admin password Secret is not yet available; deferring rotation decision',
  },
  storeNotReady,
  notNeeded: {
    status: 'True',
    reason: 'NoRotationNeeded',
    message: 'admin password unchanged and no pending reMint; no rotation performed',
  },
  triggered: {
    status: 'True',
    reason: 'RotationTriggered',
    message:
      'cleared the password-hash annotation; the ControlPlane reconciler will re-mint the admin application credential',
  },
});

/** Events of a CredentialRotation. */
export const rotationEvents = eventCases({
  deferred: {
    type: 'Normal',
    reason: 'ScheduledRotationDeferred',
    message:
      'Scheduled-rotation fields are accepted but not yet implemented at this level; performing one-shot rotation semantics only',
  },
  nudged: {
    type: 'Normal',
    reason: 'RotationNudged',
    message:
      'cleared admin application credential password-hash annotation to trigger a re-mint by the ControlPlane reconciler',
  },
});
