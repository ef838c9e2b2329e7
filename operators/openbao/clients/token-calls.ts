// SPDX-License-Identifier: Apache-2.0
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { OpenBaoServer } from './openbao-call.ts';
import type { OpenBaoActions, OpenBaoReader } from './openbao-services.ts';

type Client = OpenBaoReader & OpenBaoActions;

/** A call of the client that needs a token. */
export type TokenCall = {
  [Name in keyof Client]: Parameters<Client[Name]> extends [OpenBaoServer, SecretValue, ...unknown[]] ? Name : never;
}[keyof Client];

/** Who makes a call: an upgrade, one with blue/green, or a backup. */
export type Caller = 'rolling' | 'blueGreen' | 'backup';

interface CallRule {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  /** The path is one that OpenBao protects besides. */
  readonly needsSudo?: true;
  /** Whose policies allow it. */
  readonly by: readonly Caller[];
}

const anyone = ['rolling', 'blueGreen', 'backup'] as const;
const upgrades = ['rolling', 'blueGreen'] as const;
const raft = 'sys/storage/raft';

/** Every call that needs a token, in the order in which policies and the guide list them. The client sends them as they stand here. */
export const tokenCalls: Readonly<Record<TokenCall, CallRule>> = {
  stepDown: {
    method: 'PUT',
    path: 'sys/step-down',
    needsSudo: true,
    by: upgrades,
  },
  snapshot: { method: 'GET', path: `${raft}/snapshot`, by: anyone },
  autopilot: { method: 'GET', path: `${raft}/autopilot/state`, by: anyone },
  raftServers: { method: 'GET', path: `${raft}/configuration`, by: anyone },
  removePeer: { method: 'POST', path: `${raft}/remove-peer`, by: upgrades },
  promote: { method: 'POST', path: `${raft}/promote`, by: ['blueGreen'] },
  demote: { method: 'POST', path: `${raft}/demote`, by: ['blueGreen'] },
  knowsToken: {
    method: 'GET',
    path: 'auth/token/lookup-self',
    // The policy `default` allows it, which every token has.
    by: [],
  },
};

/** What a policy must grant for a call. */
export const capabilitiesOf = ({ method, needsSudo }: CallRule): string[] => [
  ...(needsSudo === true ? ['sudo'] : []),
  method === 'GET' ? 'read' : 'update',
];

/** What the policy of a token must allow for a call, in texts: `sudo and update on sys/step-down`. */
export const needOf = (call: TokenCall): string =>
  `${capabilitiesOf(tokenCalls[call]).join(' and ')} on ${tokenCalls[call].path}`;

/** The rule of a policy that allows a call. */
export const policyRuleOf = (call: TokenCall): string => {
  const capabilities = capabilitiesOf(tokenCalls[call]).map((each) => `"${each}"`);
  return `path "${tokenCalls[call].path}" { capabilities = [${capabilities.join(', ')}] }`;
};

/** The calls of one who makes them. */
export const callsBy = (caller: Caller): TokenCall[] =>
  (Object.keys(tokenCalls) as TokenCall[]).filter((call) => tokenCalls[call].by.includes(caller));
