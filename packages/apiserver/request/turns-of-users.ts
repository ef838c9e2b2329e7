// SPDX-License-Identifier: Apache-2.0

/**
 * Large requests of a user are handled one after the other, so that one who sends many at once delays others by the
 * turn of one of them.
 */
export class TurnsOfUsers {
  readonly #last = new Map<string, Promise<void>>();

  /** Waits for the earlier turns of this user; returns the function that ends this one. */
  async take(user: string): Promise<() => void> {
    const earlier = this.#last.get(user);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#last.set(user, ended);
    await earlier;
    return () => {
      resolve();
      if (this.#last.get(user) === ended) this.#last.delete(user);
    };
  }
}
