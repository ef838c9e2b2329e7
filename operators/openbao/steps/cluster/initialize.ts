// SPDX-License-Identifier: Apache-2.0
// OpenBao returns the root token once, in the answer to its initialisation. If that answer is lost, nobody can ever log in; if
// the call is repeated on an empty volume, there are two clusters. So before the call the intent is written on the claim of the
// first pod, because it is deleted together with the data, and it is removed when the token is stored. A pass that finds an
// intent does not know whether the call was sent: it waits until the call must have ended, and then asks the server.
//
// - not initialised, no intent: write the intent, call, store the token
// - not initialised, intent: the call had no effect; do the same again, once the intent is old enough
// - initialised, intent, no Secret: the token is lost, and an administrator has to decide
// - initialised, no intent: an earlier cluster of this name; its administrators have the token
//
// A claim that has a version and no intent had data. If its server is not initialised, the data is somewhere else.
import { PersistentVolumeClaim, Secret } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '@forge/kube/objects/object.ts';
import { sleep, timestamp } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { ready, waiting, type Outcome } from '@forge/runtime/steps/outcome.ts';
import { annotations, namesOf, podUrl } from '../../api/names.ts';
import type { Health } from '../../clients/openbao-answers.ts';
import type { ContextWith } from '../../clients/services.ts';
import { degradedCases } from '../../conditions/degraded.ts';
import { initializationEvents as events, initialized as cases } from '../../conditions/initialization.ts';
import { rootTokenSecret } from '../../objects/secrets.ts';
import type { ServerTrust } from '../../objects/tls/server-trust.ts';
import { claimsByName } from '../servers.ts';

/** The context of the initialisation. */
export type InitContext = ContextWith<{ certificates: ServerTrust }>;

/** What it sets in status. */
export type InitStatus = { initialized?: boolean };

/** After this time a call without an answer has ended: servers answer within ten seconds, and its deadline is thirty. */
const callEnd = seconds(60);

/** Initialises the first pod, unless there is an obstacle. */
export async function initialize(health: Health, context: InitContext): Promise<Outcome<undefined, InitStatus>> {
  const { object: cluster, fetch, clock, patch, log, event } = context;
  const names = namesOf(cluster);
  const claim = await fetch(PersistentVolumeClaim, names.claim(0));
  const obstacle = await obstacleTo(claim, context);
  if (claim === undefined || obstacle !== undefined) return obstacle ?? waiting(cases.joining({ pod: names.pod(0) }));
  const marks = { [annotations.initialization]: timestamp(clock), [annotations.version]: health.version };
  const marked = await patch(PersistentVolumeClaim, claim, { metadata: { annotations: marks } }, { exact: true });
  log.info('initialising OpenBao', { pod: names.pod(0) });
  const answer = await send(context);
  // Another client was faster: the next pass sees whether the token was stored.
  if (answer === undefined) return waiting(cases.unanswered());
  await store(answer.rootToken, context);
  await withoutIntent(marked, context);
  log.info('initialised OpenBao', { pod: names.pod(0) });
  await event(events.tokenStored({ secret: names.rootTokenSecret }));
  return ready(cases.initialized(), { status: { initialized: true } });
}

/** Why not to initialise now: pods have or had data, the volume is terminating, there is an old token, a call may be running. */
async function obstacleTo(claim: PersistentVolumeClaim | undefined, context: InitContext) {
  const { object: cluster, fetch, dryRunCreate, seenFor } = context;
  const names = namesOf(cluster);
  const secret = names.rootTokenSecret;
  const others = (await claimsByName(context)).filter(({ metadata }) => metadata.name !== names.claim(0));
  if (claim === undefined || others.length > 0) return waiting(cases.joining({ pod: names.pod(0) }));
  if (isTerminating(claim)) return waiting(cases.losing({ pod: names.pod(0), claim: claim.metadata.name }));
  const { [annotations.initialization]: intent, [annotations.version]: version } = claim.metadata.annotations ?? {};
  if (version !== undefined && intent === undefined) {
    const place = { pod: names.pod(0), claim: claim.metadata.name };
    return waiting(cases.dataMissing(place), { conditions: { Degraded: degradedCases.dataMissing(place) } });
  }
  if ((await fetch(Secret, secret)) !== undefined)
    return waiting(cases.staleToken(), { conditions: { Degraded: degradedCases.staleRootToken({ secret }) } });
  // If the API server would refuse the Secret, this shows before there is a token to lose.
  await dryRunCreate(rootTokenSecret(cluster, undefined));
  const isUnderWay = seenFor(`intent ${intent}`, intent !== undefined) < callEnd && intent !== undefined;
  return isUnderWay ? waiting(cases.unanswered()) : undefined;
}

function send({ object: cluster, act, needs, signal }: InitContext) {
  const pod = namesOf(cluster).pod(0);
  const server = { url: podUrl(cluster, pod), ...needs.certificates };
  return act(`initialise ${pod}`, ({ openbao }) => openbao.initialize(server, signal));
}

const firstPause = 100;
const tries = 10;

/** Stores the token, which exists nowhere else: any error is retried, for about half a minute. */
async function store(token: SecretValue, { object: cluster, create, clock, log }: InitContext): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await create(rootTokenSecret(cluster, token), { retainOnDelete: true });
      return;
    } catch (error) {
      if (attempt === tries) throw error;
      log.warn('the root token could not be stored; trying again', { error });
      await sleep(clock, firstPause * 1.7 ** attempt);
    }
  }
}

/** Removes the intent from the claim, once the outcome is known. */
export async function withoutIntent(claim: PersistentVolumeClaim, { patch }: InitContext): Promise<void> {
  if (claim.metadata.annotations?.[annotations.initialization] === undefined) return;
  await patch(PersistentVolumeClaim, claim, { metadata: { annotations: { [annotations.initialization]: null } } });
}
