// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { home } from './control-plane-fixture.ts';

/** The objects of K-ORC that the fixture has. */
export const korcObjects = {
  domain: { kind: Domain, name: `${home.name}-domain-default` },
  user: { kind: User, name: `${home.name}-user-admin` },
  credential: { kind: ApplicationCredential, name: `${home.name}-admin-app-credential` },
  service: { kind: Service, name: `${home.name}-identity-service` },
  endpoint: { kind: Endpoint, name: `${home.name}-identity-endpoint` },
} as const;

/** The status that K-ORC sets on an object: available under this id, not available yet, or a terminal error. */
type KorcState = { available: string } | 'pending' | { terminal: string };

/** Sets this status in the place of K-ORC, for the current spec unless another generation is given. */
export async function setKorc(
  client: Client,
  { kind, name }: { kind: Kind; name: string },
  state: KorcState,
  generation?: number,
): Promise<void> {
  const ref = { ...home, name };
  const observedGeneration = generation ?? (await client.get(kind, ref)).metadata.generation ?? 0;
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    observedGeneration,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  const isThere = typeof state === 'object' && 'available' in state;
  const progressing =
    typeof state === 'object' && 'terminal' in state
      ? condition('Progressing', 'False', 'InvalidConfiguration', state.terminal)
      : condition('Progressing', isThere ? 'False' : 'True', isThere ? 'Success' : 'Progressing', '');
  const available = condition('Available', isThere ? 'True' : 'False', 'Success', '');
  const id = isThere && state.available !== '' ? state.available : null;
  const change = { status: { id, conditions: [available, progressing] } };
  await client.patch(kind, ref, 'merge', change, { subresource: 'status' });
}
