// SPDX-License-Identifier: Apache-2.0
import { PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import type { LiveOpenBao } from './live-openbao.ts';

/** Waits until the first server has initialised itself, which is seconds before it answers with the root token. */
export async function untilInitialising(bao: LiveOpenBao): Promise<void> {
  await eventually(
    `${bao.names.pod(0)} is being initialised`,
    async () => {
      const answer = await bao.call(bao.names.pod(0), { path: 'sys/health' }).catch(() => undefined);
      return answer?.body['initialized'] === true;
    },
    { minutes: 3, observed: () => bao.get() },
  );
}

/** What is to be done when the root token was lost: deletes the first claim and its pod. */
export async function beginAgain({ cluster: { client }, names, ref: { namespace } }: LiveOpenBao): Promise<void> {
  await client.delete(PersistentVolumeClaim, { namespace, name: names.claim(0) });
  await client.delete(Pod, { namespace, name: names.pod(0) });
}
