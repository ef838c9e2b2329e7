// SPDX-License-Identifier: Apache-2.0
import { conditionCases, eventCases } from '@forge/runtime/conditions/cases.ts';
import { credentialPolling } from './rechecks.ts';

/** What holds a ControlPlane that is being deleted. */
export const teardown = conditionCases('KORCReady', {
  waiting: {
    ...credentialPolling,
    reason: 'FinalizingORC',
    message: 'waiting for {count} K-ORC CR(s) to be revoked and deleted before releasing the ControlPlane',
  },
});

/** Events of a deletion. */
export const teardownEvents = eventCases({
  finalizing: {
    type: 'Normal',
    reason: 'FinalizingORC',
    message:
      'Deleting owned K-ORC CRs before releasing the ControlPlane so K-ORC can revoke against a reachable Keystone',
  },
  complete: {
    type: 'Normal',
    reason: 'ORCTeardownComplete',
    message: 'No remaining K-ORC CRs; releasing the ControlPlane finalizer',
  },
  stalled: {
    type: 'Warning',
    reason: 'ORCTeardownStalled',
    message:
      'K-ORC CRs [{names}] stayed Terminating longer than 5m0s (K-ORC may be unable to reach Keystone to revoke); force-removed their K-ORC finalizers and releasing the ControlPlane',
  },
  abandoned: {
    type: 'Warning',
    reason: 'ORCTeardownAbandoned',
    message: 'Keystone is gone; force-removed the K-ORC finalizers of [{names}] and releasing the ControlPlane',
  },
  retained: {
    type: 'Normal',
    reason: 'DependentsRetained',
    message: 'Kept {names}: the deletion left them without an owner; delete them if they are to go',
  },
  notRevoked: {
    type: 'Warning',
    reason: 'CredentialNotRevoked',
    message:
      'Keystone did not answer: application credential {id} is not revoked; on a Keystone with the same database it works until somebody deletes it',
  },
  maybeNotRevoked: {
    type: 'Warning',
    reason: 'CredentialNotRevoked',
    message:
      'No password is left to ask Keystone with: application credential {id} may not be revoked; on a Keystone with the same database it works until somebody deletes it',
  },
});
