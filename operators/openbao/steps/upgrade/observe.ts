// SPDX-License-Identifier: Apache-2.0
import type { Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isTerminating } from '@forge/kube/objects/object.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { hasElapsed } from '@forge/runtime/environment/has-elapsed.ts';
import { annotations, namesOf, podUrl } from '../../api/names.ts';
import { isProblem } from '../../clients/credential.ts';
import type { AutopilotState } from '../../clients/openbao-answers.ts';
import type { OpenBaoServer } from '../../clients/openbao-call.ts';
import { OpenBaoError } from '../../clients/openbao-error.ts';
import { needOf } from '../../clients/token-calls.ts';
import { calledWith, readingCredential } from '../credentials.ts';
import { dataClaims, isServing, podsOf } from '../servers.ts';
import { leaderOf, type Answer, type Observed, type ObservedSet, type Server } from './observed.ts';
import type { UpgradeContext } from './upgrade-context.ts';

/** How the server in a pod is reached. */
export const serverIn = (pod: string, { object: cluster, needs }: UpgradeContext): OpenBaoServer => ({
  url: podUrl(cluster, pod),
  ...needs.certificates,
});

/** What an upgrade needs to know of the StatefulSet, its pods and their servers. */
export async function observe(set: StatefulSet, context: UpgradeContext): Promise<Observed> {
  const pods = new Map(podsOf(context).map((pod) => [pod.metadata.name, pod]));
  const replicas = set.spec?.replicas ?? 0;
  const servers = await Promise.all(
    Array.from({ length: replicas }, (_, ordinal) => observeServer(ordinal, pods, context)),
  );
  const members = await membersKnownTo(leaderOf({ servers }), context);
  return { set: observedSet(set), servers, members };
}

/** The StatefulSet as far as an upgrade is concerned. */
export function observedSet({ metadata, spec, status }: StatefulSet): ObservedSet {
  return {
    templateHash: metadata.annotations?.[annotations.templateHash] ?? '',
    partition:
      spec?.updateStrategy?.type === 'OnDelete' ? undefined : (spec?.updateStrategy?.rollingUpdate?.partition ?? 0),
    isObserved: status?.observedGeneration !== undefined && status.observedGeneration === metadata.generation,
    currentRevision: status?.currentRevision ?? '',
    updateRevision: status?.updateRevision ?? '',
  };
}

/** The revision of a pod's template. */
export const revisionOf = ({ metadata }: Pod): string => metadata.labels?.['controller-revision-hash'] ?? '';

async function observeServer(
  ordinal: number,
  pods: ReadonlyMap<string, Pod>,
  context: UpgradeContext,
): Promise<Server> {
  const name = namesOf(context.object).pod(ordinal);
  const pod = pods.get(name);
  const { url } = serverIn(name, context);
  if (pod === undefined) return { name, url, pod, answer: undefined };
  return {
    name,
    url,
    pod: {
      uid: pod.metadata.uid ?? '',
      revision: revisionOf(pod),
      isTerminating: isTerminating(pod),
      isReady: isServing(pod),
      isNew: isNew(pod, ordinal, context),
    },
    answer: await answered(() => answerOf(serverIn(name, context), context)),
  };
}

/** A pod that is created together with its claim has no data. It votes twenty seconds after it is ready. */
const together = minutes(1);
const untilVoter = seconds(30);

function isNew(
  { metadata, status }: Pod,
  ordinal: number,
  { object: cluster, select, clock }: UpgradeContext,
): boolean {
  const claim = select(dataClaims).find(({ metadata: { name } }) => name === namesOf(cluster).claim(ordinal));
  const [born, made] = [metadata, claim?.metadata].map((each) => Date.parse(each?.creationTimestamp ?? ''));
  const since = status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  const isYoung = !hasElapsed(Date.parse(since ?? ''), untilVoter, clock.now());
  return Math.abs((born ?? 0) - (made ?? 0)) < together && isYoung;
}

async function answerOf(server: OpenBaoServer, { services: { openbao }, signal }: UpgradeContext): Promise<Answer> {
  const { initialized, sealed, standby, version } = await openbao.health(server, signal);
  const said = { initialized, sealed, version };
  if (sealed) return { ...said, leads: false, leader: '', committed: 0 };
  const { isSelf, address, committedIndex } = await openbao.leader(server, signal);
  return { ...said, leads: isSelf && !standby, leader: address, committed: committedIndex };
}

/** What the leader observes of its members, if somebody may ask it who is not root. */
async function membersKnownTo(
  leader: Server | undefined,
  context: UpgradeContext,
): Promise<AutopilotState | undefined> {
  if (leader === undefined) return undefined;
  const server = serverIn(leader.name, context);
  const credential = await readingCredential(context, server);
  if (credential === undefined || isProblem(credential)) return undefined;
  const called = { server, needs: needOf('autopilot'), context };
  const { services, signal } = context;
  const found = await answered(() =>
    calledWith(credential, called, async (token) => await services.openbao.autopilot(server, token, signal)),
  );
  return isProblem(found) ? undefined : found;
}

/** Undefined when a server does not answer, or refuses. */
async function answered<R>(call: () => Promise<R>): Promise<R | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof OpenBaoError) return undefined;
    throw error;
  }
}
