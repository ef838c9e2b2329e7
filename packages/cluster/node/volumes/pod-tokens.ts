// SPDX-License-Identifier: Apache-2.0
import type { ServiceAccountTokenProjection } from '@forge/kube/generated/types.ts';
import { ServiceAccount, TokenRequest, type Pod } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { specOf } from '../../objects/pod-spec.ts';
import type { WatchContext } from '../../objects/watched-objects.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';

/** The token of a projection. */
export type TokenOf = (projection: ServiceAccountTokenProjection) => string;

interface HeldToken {
  token: string;
  expires: number;
  renewal: number;
}

/** The fraction of its lifetime after which a token is renewed. */
const renewedAfter = 0.8;
const retryDelay = seconds(30);

/**
 * Requests the tokens of a pod's volumes: of its ServiceAccount, and bound to the pod.
 *
 * `outdated` is called when a renewal is due.
 */
export function podTokens(pod: Pod, { client, clock }: Pick<WatchContext, 'client' | 'clock'>, outdated: () => void) {
  const { name, namespace, uid } = pod.metadata;
  const { serviceAccountName = 'default', volumes = [] } = specOf(pod);
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  const projections = sources.flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []);
  const held = new Map<string, HeldToken>();
  let cancel: (() => void) | undefined;

  async function request({ audience, expirationSeconds }: ServiceAccountTokenProjection): Promise<HeldToken> {
    const { status } = await client.create(
      accountToken(),
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: { name: serviceAccountName, ...(namespace !== undefined && { namespace }) },
        spec: {
          ...(audience !== undefined && { audiences: [audience] }),
          ...(expirationSeconds !== undefined && { expirationSeconds }),
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, ...(uid !== undefined && { uid }) },
        },
      },
      { subresource: 'token' },
    );
    const now = clock.now();
    const expires = Date.parse(status?.expirationTimestamp ?? '');
    return { token: status?.token ?? '', expires, renewal: now + (expires - now) * renewedAfter };
  }

  /** Keeps a token that is still valid when renewal fails. */
  async function renew(projection: ServiceAccountTokenProjection, old: HeldToken | undefined): Promise<HeldToken> {
    try {
      return await request(projection);
    } catch (error) {
      if (old !== undefined && old.expires > clock.now()) return { ...old, renewal: clock.now() + retryDelay };
      throw new ContainerConfigError(`failed to fetch token: ${(error as Error).message}`, { cause: error });
    }
  }

  return {
    /** All tokens, none of them due for renewal. */
    async current(): Promise<TokenOf> {
      for (const projection of projections) {
        const old = held.get(keyOf(projection));
        const isCurrent = old !== undefined && old.renewal > clock.now();
        if (!isCurrent) held.set(keyOf(projection), await renew(projection, old));
      }
      cancel?.();
      const next = Math.min(...Array.from(held.values(), ({ renewal }) => renewal));
      cancel = next === Infinity ? undefined : clock.after(next - clock.now(), outdated);
      return (projection) => held.get(keyOf(projection))?.token ?? '';
    },

    stop(): void {
      cancel?.();
    },
  };
}

/** A token is created as a subresource of its ServiceAccount. */
function accountToken(): Kind<TokenRequest> {
  const { objectType: _, ...account } = ServiceAccount;
  return { ...account, kind: TokenRequest.kind };
}

function keyOf({ audience = '', expirationSeconds }: ServiceAccountTokenProjection): string {
  return `${audience} ${expirationSeconds}`;
}
