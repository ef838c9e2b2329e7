// SPDX-License-Identifier: Apache-2.0
// Imported before tests: the test runner tracks every promise, to find the test of an uncaught error, which makes each
// await ten times as expensive; a simulation has millions of them. With this module it tracks only tests, and an
// uncaught error fails the whole run.
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
