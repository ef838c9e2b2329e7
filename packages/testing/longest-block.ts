// SPDX-License-Identifier: Apache-2.0

/** CPU milliseconds of this thread: other programs on the machine do not count. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest time in milliseconds for which the work blocked the event loop. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = threadTime();
  let running = true;
  const tick = (): void => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  tick();
  running = false;
  return longest;
}
