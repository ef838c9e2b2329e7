// SPDX-License-Identifier: Apache-2.0
import type { Conversation } from '@forge/apiserver/conformance/conversation/conversation.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** One property of the controllers as a scenario; what it observes is recorded. */
export interface ControllerCase {
  /** A sentence; unique among all cases. */
  readonly name: string;
  readonly run: (scenario: Scenario) => Promise<void>;
}

/** A case. */
export function testCase(name: string, run: ControllerCase['run']): ControllerCase {
  return { name, run };
}

/** The items of a list. */
export interface List<T> {
  items: T[];
}

/** What a case acts with. Its writes must succeed, and are not recorded; paths are as in a `Conversation`. */
export interface Scenario extends Pick<Conversation, 'namespace' | 'post' | 'patch' | 'delete'> {
  /** The server's time in milliseconds since the epoch. */
  now(): number;
  /** Lets this many seconds pass, to show that something does not happen. */
  pass(seconds: number): Promise<void>;
  /** Waits until a response matches. */
  until: Conversation['eventually'];
  /** Waits until a response matches, and records it, or the part that `pick` returns. */
  observe<T = KubeObject>(
    path: string,
    wanted?: (body: T, status: number) => boolean,
    pick?: (body: T) => unknown,
  ): Promise<T>;
  /** Waits until the object has Events of these reasons, and records all of its Events. */
  events(kind: string, name: string, reasons: readonly string[]): Promise<void>;
  /** Evicts a pod, and records the response. */
  evict(pod: string, deleteOptions?: object, query?: Readonly<Record<string, string>>): Promise<void>;
}
