// SPDX-License-Identifier: Apache-2.0

/** A map of bounded size. */
export interface BoundedMap<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
}

/** A map of at most this many entries; a further one evicts the one set longest ago. */
export function boundedMap<T>(size: number): BoundedMap<T> {
  const entries = new Map<string, T>();
  return {
    get: (key) => entries.get(key),
    delete: (key) => void entries.delete(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > size && oldest !== undefined) entries.delete(oldest);
    },
  };
}
