// SPDX-License-Identifier: Apache-2.0
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { failureRecheck } from '@forge/openstack/remembered-logins.ts';
import type { Statement } from '@forge/runtime/contract/rows.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { timestamp, type Clock } from '@forge/runtime/time/clock.ts';
import { milliseconds } from '@forge/runtime/time/duration.ts';
import { korcReady as rows } from '../../contract/korc.ts';
import type { ControlPlane } from '../../control-plane.ts';
import { isAvailable, terminalError } from '../../objects/korc/korc-object.ts';
import { isRestricted } from '../../settings.ts';
import type { PendingImport } from './imports.ts';
import type { MintContext, MintOutcome } from './mint-context.ts';
import { deferReMint, isStoreReady, type CredentialAnswer } from './re-mint.ts';
import { recreateTerminal } from './recreate-terminal.ts';

/** What K-ORC has made of a credential that fits, and how Keystone answers to it. */
export async function judgeCredential(
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
    // One that has an id may work: had Keystone refused it, it would not be judged here.
    const isHeld = live.status?.id !== undefined && !isStoreReady(context);
    const isDeferred = await recreateTerminal(ApplicationCredential, live, needs.passwordCloud, context, {
      isHeld,
    });
    if (isDeferred) return deferReMint(live, context);
    return waiting(failedRow({ name, error }, pending), { status });
  }
  if (!isAvailable(live)) return waiting(waitingRow({ name }, pending), { status });
  const output = { credential: live };
  // Twice: a single one may be a blip.
  const unanswered = seenFor('login without an answer', result === 'unavailable');
  if (unanswered >= failureRecheck)
    return degraded(rows.waiting({ name }, 'Keystone does not answer a login with it'), { status, output });
  // The login that is due first, of the two.
  const loginDue = milliseconds(Math.min(recheck, needs.passwordCloud.loginDue));
  return ready(rows.minted(), { status, output, recheck: loginDue });
}

function waitingRow(of: { name: string }, pending: PendingImport | undefined): Statement {
  if (pending === undefined) return rows.waiting(of);
  const { kind, name, error } = pending;
  const of2 = { ...of, kind, import: name };
  return error === undefined ? rows.waitingForImport(of2) : rows.waitingForFailedImport({ ...of2, importError: error });
}

function failedRow(of: { name: string; error: string }, pending: PendingImport | undefined): Statement {
  if (pending === undefined) return rows.failed(of);
  const { kind, name, error } = pending;
  const of2 = { ...of, kind, import: name };
  return error === undefined ? rows.failedWithImport(of2) : rows.failedWithFailedImport({ ...of2, importError: error });
}

/** What status tells of the credential; another id is another rotation. */
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
