// SPDX-License-Identifier: Apache-2.0
// Imported before tests: the test runner tracks every promise, to tell which test an uncaught error belongs to, and makes
// each await ten times as expensive; a simulation has millions of them. With this it tracks tests alone, and an uncaught
// error is one of the whole run, which fails by it.
import { createHook, type AsyncHook } from 'node:async_hooks';

const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook;
const original = Object.getOwnPropertyDescriptor(prototype, 'enable') ?? {};

// The first hook that is enabled is the test runner's.
prototype.enable = function enableWithoutPromises(this: AsyncHook & Record<symbol, unknown>) {
  Object.defineProperty(prototype, 'enable', original);
  const untracked = Object.getOwnPropertySymbols(this).find(({ description }) => description === 'kNoPromiseHook');
  if (untracked !== undefined) this[untracked] = true;
  return this.enable();
};
