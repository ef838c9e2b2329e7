// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { lazyPayload, type Payload } from '../messages/payload.ts';

/** Type of a watch event. */
export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

/** An object at one revision. Its value is frozen and shared; value, text and bytes are each computed at most once. */
export class StoredObject implements Payload {
  readonly key: string;
  readonly revision: number;
  #make: (() => KubeObject) | undefined;
  #value: KubeObject | undefined;
  #text: string | undefined;
  #bytes: Uint8Array | undefined;

  constructor(key: string, revision: number, content: KubeObject | Uint8Array | (() => KubeObject)) {
    this.key = key;
    this.revision = revision;
    if (typeof content === 'function') this.#make = content;
    else if (content instanceof Uint8Array) this.#bytes = content;
    else this.#value = frozen(content);
  }

  get value(): KubeObject {
    this.#value ??= frozen(
      this.#make?.() ?? (JSON.parse(Buffer.from(this.#bytes as Uint8Array).toString()) as KubeObject),
    );
    return this.#value;
  }

  get text(): string | undefined {
    if (this.#bytes === undefined) this.#text ??= JSON.stringify(this.value);
    return this.#text;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(this.text as string);
    this.#text = undefined;
    return this.#bytes;
  }

  /** The size of its JSON; 0 when it has not been encoded yet. */
  get size(): number {
    return this.#bytes?.length ?? this.#text?.length ?? 0;
  }
}

/** A watch event, built from the object's value or bytes. */
export function eventPayload(type: EventType | 'ERROR', object: Payload): Payload {
  return lazyPayload(
    () => ({ type, object: object.value }),
    () => Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object.bytes, Buffer.from('}\n')]),
  );
}

/**
 * Deep-freezes an object except for fieldsV1 in managedFields: those are most of it, and freezing them would be a third
 * of a create's cost. Only patches read them, and do not modify them.
 */
function frozen(object: KubeObject): KubeObject {
  for (const entry of object.metadata.managedFields ?? []) Object.freeze(entry);
  deepFreeze(object);
  return object;
}

/** Freezes an object or a list; values inside one that is already frozen are assumed to be frozen too. */
function deepFreeze(value: object): void {
  if (Object.isFrozen(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null) deepFreeze(item as object);
  } else {
    for (const field in value) {
      const item: unknown = value[field as keyof typeof value];
      if (typeof item === 'object' && item !== null) deepFreeze(item);
    }
  }
  Object.freeze(value);
}
