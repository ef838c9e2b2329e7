// SPDX-License-Identifier: Apache-2.0
import type { Payload } from '../messages/payload.ts';
import type { StoredObject } from './stored-object.ts';

/** How many bytes of objects are remembered with their events. */
const capacity = 32 * 1024 * 1024;

/** What an event takes besides its object, in bytes. */
const overhead = 1024;

interface Remembered {
  readonly forms: Map<string, { readonly payload: Payload; readonly source: unknown }>;
  bytes: number;
}

/** The events of recent changes in each form that watches ask for, so that each is encoded once for all watches. */
export class EncodedEvents {
  /** By object, the first remembered first. */
  readonly #recent = new Map<StoredObject, Remembered>();
  /** Events in protobuf, by the event. */
  readonly #frames = new WeakMap<Payload, Payload>();
  #bytes = 0;

  /** The event of an object in a form; made anew when it was forgotten, or made from another source. */
  of(object: StoredObject, form: string, make: () => Payload, source?: unknown): Payload {
    let remembered = this.#recent.get(object);
    const known = remembered?.forms.get(form);
    if (known !== undefined && known.source === source) return known.payload;
    const payload = make();
    if (remembered === undefined) this.#recent.set(object, (remembered = { forms: new Map(), bytes: 0 }));
    remembered.forms.set(form, { payload, source });
    remembered.bytes += object.size + overhead;
    this.#bytes += object.size + overhead;
    this.#forget(object);
    return payload;
  }

  /** The frame of an event in another encoding. */
  frameOf(event: Payload, make: () => Payload): Payload {
    let frame = this.#frames.get(event);
    if (frame === undefined) this.#frames.set(event, (frame = make()));
    return frame;
  }

  /** Forgets the oldest objects but this one. */
  #forget(newest: StoredObject): void {
    for (const [object, { bytes }] of this.#recent) {
      if (this.#bytes <= capacity) return;
      if (object === newest) continue;
      this.#recent.delete(object);
      this.#bytes -= bytes;
    }
  }
}
