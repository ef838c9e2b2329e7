// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/time/clock.ts';
import type { AssembledImage } from '../../images/image-store.ts';
import type { ContainerRecord } from './container-record.ts';

/** The pull state of an image. */
export type ImageState =
  | { state: 'pulling' }
  | { state: 'there'; image: AssembledImage }
  | { state: 'failed'; waiting: NonNullable<ContainerRecord['waiting']>; retryAt: number };

const firstDelay = 10_000;
const longestDelay = 300_000;

/** Pulls a pod's images in the background; `changed` is called when a state changes. */
export function podImages(ensure: (reference: string) => Promise<AssembledImage>, clock: Clock, changed: () => void) {
  const images = new Map<string, { state: ImageState; failures: number }>();

  function pull(reference: string, failures: number): ImageState {
    images.set(reference, { state: { state: 'pulling' }, failures });
    void settle(reference, failures);
    return { state: 'pulling' };
  }

  async function settle(reference: string, failures: number): Promise<void> {
    try {
      images.set(reference, { state: { state: 'there', image: await ensure(reference) }, failures: 0 });
    } catch (error) {
      images.set(reference, { state: failed(reference, failures, error as Error), failures: failures + 1 });
    }
    changed();
  }

  function failed(reference: string, failures: number, { message }: Error): ImageState {
    const delay = Math.min(longestDelay, firstDelay * 2 ** failures);
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
