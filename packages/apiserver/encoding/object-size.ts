// SPDX-License-Identifier: Apache-2.0
import { badRequest, statusError, tooLarge } from '../messages/status-errors.ts';

/**
 * Maximum number of fields and items in a body, so that traversing them is fast. An ordinary object of maximum size has
 * about 70,000.
 */
export const maxValues = 100_000;

/**
 * Maximum number of fields in one object, or items in one list: copying an object takes a microsecond per field, and
 * items of some lists become fields in managedFields.
 */
export const maxMembers = 20_000;

/** The deepest nesting of an object: walks over it are recursive, within the stack size. */
const maxNesting = 500;

/** Maximum size of a stored object in characters: etcd's request limit. */
const maxText = 1.5 * 1024 * 1024;

/** The limits of one body, whatever it is encoded in; each method throws when its limit is exceeded. */
export class BodyLimits {
  #values = 0;

  /** Counts a field or item. */
  addValue(): void {
    this.#values += 1;
    if (this.#values > maxValues) throw tooManyValues();
  }

  /** Checks the number of fields of an object, or items of a list. */
  checkMembers(members: number): void {
    if (members > maxMembers) throw tooManyMembers();
  }

  checkNesting(depth: number): void {
    if (depth > maxNesting) throw nestedTooDeep();
  }
}

/** Throws when an object is larger than one that is sent may be: patches and defaults can let it grow. */
export function checkSize(object: object): void {
  new Measure().add(object, 1);
}

class Measure {
  readonly #limits = new BodyLimits();
  #text = 0;

  /** Counts shared parts once per occurrence. */
  add(container: object, depth: number): void {
    this.#limits.checkNesting(depth);
    if (Array.isArray(container)) {
      this.#limits.checkMembers(container.length);
      for (const item of container) this.#value(item, depth);
      return;
    }
    let fields = 0;
    for (const name in container) {
      fields += 1;
      this.#limits.checkMembers(fields);
      this.#text += name.length;
      this.#value(container[name as keyof typeof container], depth);
    }
  }

  #value(value: unknown, depth: number): void {
    this.#limits.addValue();
    if (typeof value === 'object' && value !== null) return this.add(value, depth + 1);
    if (typeof value !== 'string') return;
    this.#text += value.length;
    if (this.#text > maxText) throw tooLarge(maxText);
  }
}

/** 413: the body has more fields and items than it may have. */
function tooManyValues(): Error {
  const message = `Request entity too large: limit is ${maxValues} fields and items`;
  return statusError(413, 'RequestEntityTooLarge', message);
}

/** 413: one of the objects or lists has more members than it may have. */
function tooManyMembers(): Error {
  const message = `Request entity too large: limit is ${maxMembers} fields of an object or items of a list`;
  return statusError(413, 'RequestEntityTooLarge', message);
}

/** 400: the object is nested deeper than an object may be. */
function nestedTooDeep(): Error {
  return badRequest(`the object is nested too deeply: limit is ${maxNesting} levels`);
}
