// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import type { ContainerRecord } from './container-record.ts';
import type { PodContext } from './pod-context.ts';

/** The pull state of an image. */
export type ImageState =
  | { state: 'pulling' }
  | { state: 'present'; image: AssembledImage }
  | { state: 'failed'; waiting: NonNullable<ContainerRecord['waiting']>; retryAt: number };

const firstDelay = 10_000;
const maxDelay = 300_000;

interface PodImagesOptions {
  requestImage: PodContext['requestImage'];
  clock: Clock;
  /** Called when a state changes. */
  changed: () => void;
  /** Records an Event of the pod. */
  event: (reason: string, message: string) => void;
}

/** Pulls a pod's images in the background. */
export function podImages({ requestImage, clock, changed, event }: PodImagesOptions) {
  const images = new Map<string, { state: ImageState; failures: number }>();

  function pull(reference: string, failures: number): ImageState {
    images.set(reference, { state: { state: 'pulling' }, failures });
    void settle(reference, failures);
    return { state: 'pulling' };
  }

  async function settle(reference: string, failures: number): Promise<void> {
    const begin = clock.now();
    const pulling = { happened: false };
    const onPulling = () => {
      pulling.happened = true;
      event('Pulling', `Pulling image "${reference}"`);
    };
    try {
      // Answered by another process, the forge process.
      const image = await requestImage(reference, onPulling);
      images.set(reference, { state: { state: 'present', image }, failures: 0 });
      const seconds = `${(clock.now() - begin) / 1000}s`;
      const message = pulling.happened
        ? `Successfully pulled image "${reference}" in ${seconds} (${seconds} including waiting)`
        : `Container image "${reference}" already present on machine`;
      event('Pulled', message);
    } catch (error) {
      images.set(reference, { state: failed(reference, failures, error as Error), failures: failures + 1 });
    }
    changed();
  }

  function failed(reference: string, failures: number, { message }: Error): ImageState {
    const delay = Math.min(maxDelay, firstDelay * 2 ** failures);
    const waiting =
      failures === 0
        ? { reason: 'ErrImagePull', message }
        : { reason: 'ImagePullBackOff', message: `Back-off pulling image "${reference}": ErrImagePull: ${message}` };
    return { state: 'failed', waiting, retryAt: clock.now() + delay };
  }

  return {
    /** The state of an image; a new one, or one whose retry is due, starts pulling. */
    get(reference: string): ImageState {
      const known = images.get(reference);
      if (!known) return pull(reference, 0);
      if (known.state.state === 'failed' && known.state.retryAt <= clock.now()) return pull(reference, known.failures);
      return known.state;
    },
  };
}
