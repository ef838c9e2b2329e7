// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { User } from '../messages/server-request.ts';
import type { CoreContext } from '../resources/core-context.ts';
import {
  serviceAccountClaims,
  userOfClaims,
  type ServiceAccountClaims,
  type ObjectClaim,
  type TokenSpec,
} from './service-account-claims.ts';
import { unverifiedClaims, type SigningKey } from './signing-key.ts';

/** Tolerated clock skew in seconds. */
const leeway = 60;
/** Cached verified tokens: verifying a signature takes longer than most requests. */
const maxVerified = 1000;

/** Issues ServiceAccount tokens and authenticates them while their bound objects exist. */
export class ServiceAccountTokens {
  readonly key: SigningKey;
  readonly issuer: string;
  readonly #context: CoreContext;
  readonly #verified = new Map<string, ServiceAccountClaims>();

  constructor(key: SigningKey, issuer: string, context: CoreContext) {
    this.key = key;
    this.issuer = issuer;
    this.#context = context;
  }

  issue(wanted: TokenSpec): string {
    const issued = { iss: this.issuer, iat: this.#now(), jti: this.#context.random.uuid() };
    return this.key.sign(serviceAccountClaims(wanted, issued));
  }

  /** The user and audiences of a token, or why it is invalid; undefined for tokens of other issuers. */
  read(token: string, audiences: readonly string[]): { user: User; audiences: string[] } | string | undefined {
    if (unverifiedClaims(token)?.['iss'] !== this.issuer) return undefined;
    const claims = this.#verify(token);
    if (claims === undefined) return 'invalid signature, no keys found';
    const shared = claims.aud.filter((audience) => audiences.includes(audience));
    if (shared.length === 0) {
      return `token audiences ${quoted(claims.aud)} is invalid for the target audiences ${quoted(audiences)}`;
    }
    return this.#problemOf(claims) ?? { user: userOfClaims(claims), audiences: shared };
  }

  #verify(token: string): ServiceAccountClaims | undefined {
    const known = this.#verified.get(token);
    if (known !== undefined) return known;
    const claims = this.key.verify(token) as ServiceAccountClaims | undefined;
    if (claims === undefined) return undefined;
    if (this.#verified.size === maxVerified) this.#verified.clear();
    this.#verified.set(token, claims);
    return claims;
  }

  #problemOf(claims: ServiceAccountClaims): string | undefined {
    const now = this.#now();
    if (now - leeway > claims.exp) return 'service account token has expired';
    if (now + leeway < claims.nbf) return 'service account token is not valid yet';
    const { namespace, serviceaccount, secret, pod, node } = claims['kubernetes.io'];
    const account = this.#find('serviceaccounts', namespace, serviceaccount);
    if (account === undefined) return `serviceaccounts "${serviceaccount.name}" not found`;
    if (account.metadata.uid !== serviceaccount.uid) {
      return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`;
    }
    if (this.#isStuckTerminating(account))
      return `service account ${namespace}/${serviceaccount.name} has been deleted`;
    return (
      this.#boundObjectProblem('secret', namespace, secret) ??
      this.#boundObjectProblem('pod', namespace, pod) ??
      // The node of a pod is informational only.
      (pod === undefined ? this.#boundObjectProblem('node', '', node) : undefined)
    );
  }

  /** Why a bound object invalidates the token; undefined when it exists, or there is none. */
  #boundObjectProblem(
    what: 'secret' | 'pod' | 'node',
    namespace: string,
    ref: ObjectClaim | undefined,
  ): string | undefined {
    if (ref === undefined) return undefined;
    const found = this.#find(`${what}s`, namespace, ref);
    if (found !== undefined && found.metadata.uid !== ref.uid) {
      return `${what} UID (${found.metadata.uid}) does not match service account ${what} ref claim (${ref.uid})`;
    }
    const isGone = found === undefined || this.#isStuckTerminating(found);
    return isGone ? 'service account token has been invalidated' : undefined;
  }

  #find(plural: string, namespace: string, { name }: ObjectClaim): KubeObject | undefined {
    return this.#context.store.current.objects.get(`${plural}/${namespace}/${name}`)?.value;
  }

  #isStuckTerminating({ metadata: { deletionTimestamp } }: KubeObject): boolean {
    return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) / 1000 < this.#now() - leeway;
  }

  /** Seconds since the epoch. */
  #now(): number {
    return Math.floor(this.#context.clock.now() / 1000);
  }
}

function quoted(list: readonly string[]): string {
  return `[${list.map((each) => JSON.stringify(each)).join(' ')}]`;
}
