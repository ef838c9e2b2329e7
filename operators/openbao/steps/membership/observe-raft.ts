// SPDX-License-Identifier: Apache-2.0
import { podUrl } from '../../api/names.ts';
import { isProblem, type Credential } from '../../clients/credential.ts';
import type { OpenBaoServer } from '../../clients/openbao-call.ts';
import { OpenBaoError } from '../../clients/openbao-error.ts';
import type { ContextWith } from '../../clients/services.ts';
import { needOf } from '../../clients/token-calls.ts';
import type { ServerTrust } from '../../objects/tls/server-trust.ts';
import { calledWith, namedCredentials, readingCredential } from '../credentials.ts';
import { isServing, labelOf, podsOf } from '../servers.ts';
import { noReadingCredential, type RaftUnknown, type RaftView } from './decide-membership.ts';

/** The context of the step. */
export type MembershipContext = ContextWith<{ certificates: ServerTrust }>;

/** The Raft cluster, and how its leader is called. */
export interface ObservedRaft extends RaftView {
  readonly server: OpenBaoServer;
  readonly credential: Credential;
}

const leaderless: RaftUnknown = { unknown: 'no ready pod leads' };

/** Asks the leader who is a member, and where somebody shall leave, how the members are. */
export async function observeRaft(context: MembershipContext, isLeaving: boolean): Promise<ObservedRaft | RaftUnknown> {
  if (!namedCredentials(context.object).forReading) return { unknown: noReadingCredential };
  try {
    const leader = await confirmedLeader(context);
    return leader === undefined ? leaderless : await raftOf(leader, context, isLeaving);
  } catch (error) {
    if (error instanceof OpenBaoError) return { unknown: error.message };
    throw error;
  }
}

const serverOf = (pod: string, { object, needs }: MembershipContext): OpenBaoServer => ({
  url: podUrl(object, pod),
  ...needs.certificates,
});

/** The ready pod that leads, by its label and its own word. */
async function confirmedLeader(context: MembershipContext): Promise<string | undefined> {
  const { services, signal } = context;
  const labelled = podsOf(context).filter((pod) => isServing(pod) && labelOf(pod, 'active') === true);
  const answers = await Promise.all(
    labelled.map(async ({ metadata: { name } }) => {
      const { isSelf } = await services.openbao.leader(serverOf(name, context), signal);
      return isSelf ? [name] : [];
    }),
  );
  const [leader, ...others] = answers.flat();
  return others.length === 0 ? leader : undefined;
}

async function raftOf(
  leader: string,
  context: MembershipContext,
  isLeaving: boolean,
): Promise<ObservedRaft | RaftUnknown> {
  const { openbao } = context.services;
  const server = serverOf(leader, context);
  const credential = await readingCredential(context, server);
  if (credential === undefined) return { unknown: noReadingCredential };
  if (isProblem(credential)) return { unknown: credential.problem };
  const members = await calledWith(credential, { server, needs: needOf('raftServers'), context }, (token) =>
    openbao.raftServers(server, token, context.signal),
  );
  if (isProblem(members)) return { unknown: members.problem };
  if (!members.some(({ id, isLeader }) => id === leader && isLeader)) return leaderless;
  if (!isLeaving) return { leader, members, server, credential };
  const autopilot = await calledWith(credential, { server, needs: needOf('autopilot'), context }, (token) =>
    openbao.autopilot(server, token, context.signal),
  );
  if (isProblem(autopilot)) return { unknown: autopilot.problem };
  return { leader, members, autopilot, server, credential };
}
