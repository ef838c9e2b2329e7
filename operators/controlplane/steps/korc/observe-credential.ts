// SPDX-License-Identifier: Apache-2.0
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { failureRecheck } from '@forge/openstack/remembered-logins.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds } from '@forge/runtime/environment/duration.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { isRestricted } from '../../api/settings.ts';
import { korcReady as cases } from '../../conditions/korc.ts';
import { isAvailable, terminalError } from '../../objects/korc/korc-object.ts';
import type { MintContext, MintOutcome, PendingImport } from './mint-context.ts';
import { deferReMint, isStoreReady, notAnswered, type CredentialAnswer } from './re-mint.ts';
import { recreateTerminal } from './recreate-terminal.ts';

/** The state of a credential that fits its secret: what K-ORC reports, and whether Keystone accepts it. */
export async function observeCredential(
  live: ApplicationCredential,
  { result, recheck }: CredentialAnswer,
  context: MintContext,
): Promise<MintOutcome> {
  const { object: controlPlane, needs, clock, seenFor } = context;
  const status = { adminApplicationCredential: statusOf(live, controlPlane, clock) };
  const { name } = live.metadata;
  const { pending } = needs.imports;
  const error = terminalError(live);
  if (error !== undefined) {
    // One that has an id may work: had Keystone refused it, it would have been minted again.
    const isHeld = live.status?.id !== undefined && !isStoreReady(context);
    const isDeferred = await recreateTerminal(ApplicationCredential, live, needs.passwordCloud, context, {
      isHeld,
    });
    if (isDeferred) return deferReMint(live, context);
    return waiting(failedCase({ name, error }, pending), { status });
  }
  if (!isAvailable(live)) return waiting(waitingCase({ name }, pending), { status });
  const output = { credential: live };
  // Twice: a single one may be a blip.
  const unanswered = seenFor('login without an answer', result === 'unavailable');
  if (unanswered >= failureRecheck) return degraded(cases.waiting({ name }, notAnswered), { status, output });
  // The earlier of the two logins that are due.
  const loginDue = milliseconds(Math.min(recheck, needs.passwordCloud.loginDue));
  return ready(cases.minted(), { status, output, recheck: loginDue });
}

function waitingCase(of: { name: string }, pending: PendingImport | undefined): Statement {
  if (pending === undefined) return cases.waiting(of);
  const { kind, name, error } = pending;
  const names = { ...of, kind, import: name };
  return error === undefined
    ? cases.waitingForImport(names)
    : cases.waitingForFailedImport({ ...names, importError: error });
}

function failedCase(of: { name: string; error: string }, pending: PendingImport | undefined): Statement {
  if (pending === undefined) return cases.failed(of);
  const { kind, name, error } = pending;
  const names = { ...of, kind, import: name };
  return error === undefined
    ? cases.failedWithImport(names)
    : cases.failedWithFailedImport({ ...names, importError: error });
}

/** The status fields of the credential; another id counts as a rotation. */
function statusOf({ status }: ApplicationCredential, controlPlane: ControlPlane, clock: Clock) {
  const { id, lastRotation } = controlPlane.status?.adminApplicationCredential ?? {};
  const current = status?.id ?? '';
  const rotated = current !== '' && current !== id ? timestamp(clock) : lastRotation;
  const unrestricted = status?.resource === undefined ? !isRestricted(controlPlane) : status.resource.unrestricted;
  return {
    ...(current !== '' && { id: current }),
    ...(unrestricted !== true && { restricted: true }),
    ...(rotated !== undefined && { lastRotation: rotated }),
  };
}
