// SPDX-License-Identifier: Apache-2.0
import type { Node, Pod, Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { User } from '../messages/server-request.ts';
import { serviceAccountGroups, serviceAccountUserName } from './service-account-user.ts';

/** An object in the claims of a token. */
export interface ObjectClaim {
  name: string;
  uid?: string;
}

/** Claims of a ServiceAccount token as in Kubernetes; times in seconds since the epoch. */
export interface ServiceAccountClaims {
  aud: string[];
  exp: number;
  iat: number;
  iss: string;
  jti: string;
  'kubernetes.io': {
    namespace: string;
    node?: ObjectClaim;
    pod?: ObjectClaim;
    secret?: ObjectClaim;
    serviceaccount: ObjectClaim;
    warnafter?: number;
  };
  nbf: number;
  sub: string;
}

/** Parameters of a token. */
export interface TokenSpec {
  readonly account: ServiceAccount;
  readonly audiences: readonly string[];
  /** Validity in seconds. */
  readonly seconds: number;
  /** Seconds after which its use causes a warning. */
  readonly warnAfter?: number;
  /** Objects that it is bound to. */
  readonly bound: BoundObjects;
}

/** Objects that a token is bound to; the token is invalid without them. */
export interface BoundObjects {
  readonly pod?: Pod;
  readonly secret?: Secret;
  readonly node?: Node;
}

/** The claims of a new token. */
export function serviceAccountClaims(
  { account, audiences, seconds, warnAfter, bound }: TokenSpec,
  { iss, iat, jti }: Pick<ServiceAccountClaims, 'iss' | 'iat' | 'jti'>,
): ServiceAccountClaims {
  const { namespace = '', name } = account.metadata;
  const { node, pod, secret } = bound;
  return {
    aud: [...audiences],
    exp: iat + seconds,
    iat,
    iss,
    jti,
    'kubernetes.io': {
      namespace,
      ...(node !== undefined && { node: objectClaim(node) }),
      ...(pod !== undefined && { pod: objectClaim(pod) }),
      ...(secret !== undefined && { secret: objectClaim(secret) }),
      serviceaccount: objectClaim(account),
      ...(warnAfter !== undefined && { warnafter: iat + warnAfter }),
    },
    nbf: iat,
    sub: serviceAccountUserName({ namespace, name }),
  };
}

/** The user of these claims. */
export function userOfClaims({ jti, 'kubernetes.io': bound }: ServiceAccountClaims): User {
  const { namespace, serviceaccount, pod, node } = bound;
  const facts = {
    'credential-id': `JTI=${jti}`,
    'node-name': node?.name,
    'node-uid': node?.uid,
    'pod-name': pod?.name,
    'pod-uid': pod?.uid,
  };
  const known = Object.entries(facts).flatMap(([key, value]) =>
    value === undefined ? [] : [[`authentication.kubernetes.io/${key}`, [value]] as const],
  );
  return {
    name: serviceAccountUserName({ namespace, name: serviceaccount.name }),
    groups: serviceAccountGroups(namespace),
    uid: serviceaccount.uid ?? '',
    extra: Object.fromEntries(known),
  };
}

function objectClaim({ metadata: { name, uid } }: KubeObject): ObjectClaim {
  return { name, ...(uid !== undefined && { uid }) };
}
