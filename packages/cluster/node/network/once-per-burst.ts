// SPDX-License-Identifier: Apache-2.0

/** Calls `update` once after all changes of this turn of the event loop, since changes come in bursts. */
export function oncePerBurst(update: () => void): () => void {
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    setImmediate(() => {
      pending = false;
      update();
    });
  };
}
