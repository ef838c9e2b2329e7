// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { User } from '../request/server-request.ts';
import type { Surroundings } from '../resources/surroundings.ts';
import {
  accountClaims,
  claimedUser,
  type AccountClaims,
  type ClaimedObject,
  type WantedToken,
} from './account-claims.ts';
import { unverifiedClaims, type SigningKey } from './signing-key.ts';

/** Clocks may differ by so many seconds. */
const leeway = 60;
/** Signatures that are known to be good; checking one takes longer than most requests. */
const remembered = 1000;

/** Issues the tokens of service accounts, and knows whose a token is as long as what it is bound to is there. */
export class AccountTokens {
  readonly key: SigningKey;
  readonly issuer: string;
  readonly #world: Surroundings;
  readonly #verified = new Map<string, AccountClaims>();

  constructor(key: SigningKey, issuer: string, world: Surroundings) {
    this.key = key;
    this.issuer = issuer;
    this.#world = world;
  }

  issue(wanted: WantedToken): string {
    const issued = { iss: this.issuer, iat: this.#now(), jti: this.#world.random.uuid() };
    return this.key.sign(accountClaims(wanted, issued));
  }

  /** Whose token this is, and for which of the audiences; why it is worth nothing; undefined when it is not ours at all. */
  read(token: string, audiences: readonly string[]): { user: User; audiences: string[] } | string | undefined {
    if (unverifiedClaims(token)?.['iss'] !== this.issuer) return undefined;
    const claims = this.#verify(token);
    if (claims === undefined) return 'invalid signature, no keys found';
    const shared = claims.aud.filter((audience) => audiences.includes(audience));
    if (shared.length === 0) {
      return `token audiences ${quoted(claims.aud)} is invalid for the target audiences ${quoted(audiences)}`;
    }
    return this.#problemOf(claims) ?? { user: claimedUser(claims), audiences: shared };
  }

  #verify(token: string): AccountClaims | undefined {
    const known = this.#verified.get(token);
    if (known !== undefined) return known;
    const claims = this.key.verify(token) as AccountClaims | undefined;
    if (claims === undefined) return undefined;
    if (this.#verified.size === remembered) this.#verified.clear();
    this.#verified.set(token, claims);
    return claims;
  }

  #problemOf(claims: AccountClaims): string | undefined {
    const now = this.#now();
    if (now - leeway > claims.exp) return 'service account token has expired';
    if (now + leeway < claims.nbf) return 'service account token is not valid yet';
    const { namespace, serviceaccount, secret, pod, node } = claims['kubernetes.io'];
    const account = this.#find('serviceaccounts', namespace, serviceaccount);
    if (account === undefined) return `serviceaccounts "${serviceaccount.name}" not found`;
    if (account.metadata.uid !== serviceaccount.uid) {
      return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`;
    }
    if (this.#isLongDying(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
    return (
      this.#lossOf('secret', namespace, secret) ??
      this.#lossOf('pod', namespace, pod) ??
      // The node of a pod is only told.
      (pod === undefined ? this.#lossOf('node', '', node) : undefined)
    );
  }

  /** What has become of an object that a token is bound to; undefined when it is there, or not bound to. */
  #lossOf(what: 'secret' | 'pod' | 'node', namespace: string, ref: ClaimedObject | undefined): string | undefined {
    if (ref === undefined) return undefined;
    const found = this.#find(`${what}s`, namespace, ref);
    if (found !== undefined && found.metadata.uid !== ref.uid) {
      return `${what} UID (${found.metadata.uid}) does not match service account ${what} ref claim (${ref.uid})`;
    }
    const isLost = found === undefined || this.#isLongDying(found);
    return isLost ? 'service account token has been invalidated' : undefined;
  }

  #find(plural: string, namespace: string, { name }: ClaimedObject): KubeObject | undefined {
    return this.#world.store.current.objects.get(`${plural}/${namespace}/${name}`)?.value;
  }

  #isLongDying({ metadata: { deletionTimestamp } }: KubeObject): boolean {
    return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) / 1000 < this.#now() - leeway;
  }

  /** Seconds since the epoch. */
  #now(): number {
    return Math.floor(this.#world.clock.now() / 1000);
  }
}

function quoted(list: readonly string[]): string {
  return `[${list.map((each) => JSON.stringify(each)).join(' ')}]`;
}
