// SPDX-License-Identifier: Apache-2.0

/**
 * Allocates addresses of 10.244.0.0/16; a released one is reused as late as possible, since clients may still have it
 * cached.
 */
export function addressPool(size = 65_533) {
  const taken = new Set<number>();
  let last = 1;
  return {
    take(): string {
      if (taken.size === size) throw new Error(`All ${size} pod addresses of the node are in use: delete some pods`);
      do last = last > size ? 2 : last + 1;
      while (taken.has(last));
      taken.add(last);
      return `10.244.${last >> 8}.${last & 0xff}`;
    },
    free(address: string): void {
      const [, , high = '0', low = '0'] = address.split('.');
      taken.delete((Number(high) << 8) + Number(low));
    },
  };
}
