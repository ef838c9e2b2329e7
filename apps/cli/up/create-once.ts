// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { waitUntilInstalled } from '@forge/runtime/cache/wait-until-installed.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds } from '@forge/runtime/environment/duration.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Manifest } from './demo.ts';

/** The dependencies of {@link createOnce}. */
interface CreateOptions {
  progress: Progress;
  clock: Clock;
  random: Random;
  signal: AbortSignal;
}

const retryInterval = milliseconds(500);

/** Creates an object unless it exists; waits until its kind is installed and its webhooks can be called. */
export async function createOnce(client: Client, { kind, object }: Manifest, options: CreateOptions): Promise<void> {
  const { progress, clock, random, signal } = options;
  const { name } = object.metadata;
  // Checked first: a webhook may refuse to create it twice, or may be unavailable.
  if ((await client.find(kind, refOf(object))) !== undefined) return;
  for (let installed = false; ;) {
    try {
      await client.create(kind, object, { fieldManager: 'forge', signal });
      return;
    } catch (error) {
      const webhook = unreachableWebhook(error);
      if (isApiError(error, 'AlreadyExists')) return;
      if (isApiError(error, 'NotFound') && !installed) {
        progress.doing(name, `waits for CustomResourceDefinition ${resourceName(kind)}: install its operator`);
        await waitUntilInstalled(client, kind, { random, signal, onActivity: () => undefined });
        installed = true;
      } else if (webhook !== undefined) {
        progress.doing(name, `waits for webhook ${webhook}, which does not answer yet`);
        await sleep(clock, retryInterval, signal);
      } else throw error;
    }
  }
}

/** The name of the webhook that could not be called; undefined for other errors. */
function unreachableWebhook(error: unknown): string | undefined {
  if (!isApiError(error, 'InternalError')) return undefined;
  return /failed calling webhook "([^"]*)"/.exec(error.message)?.[1];
}
