// SPDX-License-Identifier: Apache-2.0
import { badRequest, statusError, tooLarge } from '../request/status-errors.ts';

/**
 * The most fields and items that a body may have together: whatever walks over them must not take long. An ordinary object
 * of the most text has about 70,000.
 */
export const maxValues = 100_000;

/**
 * The most fields of one object, or items of one list. To copy an object takes a microsecond for each field, and items of
 * some lists are fields of managedFields.
 */
export const maxMembers = 20_000;

/** The deepest nesting of an object: walks over it are recursive, within the stack size. */
export const maxNesting = 500;

/** The most text that a stored object may have, in characters: etcd's limit of a request. */
const maxText = 1.5 * 1024 * 1024;

/** Throws when an object is larger than one that is sent may be: patches and defaults can let it grow. */
export function checkSize(object: object): void {
  new Measure().add(object, 1);
}

class Measure {
  #values = 0;
  #text = 0;

  /** Counts parts that are shared as often as they occur. */
  add(container: object, depth: number): void {
    if (depth > maxNesting) throw nestedTooDeep();
    if (Array.isArray(container)) {
      if (container.length > maxMembers) throw tooManyMembers();
      for (const item of container) this.#value(item, depth);
      return;
    }
    let fields = 0;
    for (const name in container) {
      fields += 1;
      if (fields > maxMembers) throw tooManyMembers();
      this.#text += name.length;
      this.#value(container[name as keyof typeof container], depth);
    }
  }

  #value(value: unknown, depth: number): void {
    this.#values += 1;
    if (this.#values > maxValues) throw tooManyValues();
    if (typeof value === 'object' && value !== null) return this.add(value, depth + 1);
    if (typeof value !== 'string') return;
    this.#text += value.length;
    if (this.#text > maxText) throw tooLarge(maxText);
  }
}

/** 413: the body has more fields and items than it may have. */
export function tooManyValues(): Error {
  const message = `Request entity too large: limit is ${maxValues} fields and items`;
  return statusError(413, 'RequestEntityTooLarge', message);
}

/** 413: one of the objects or lists has more members than it may have. */
export function tooManyMembers(): Error {
  const message = `Request entity too large: limit is ${maxMembers} fields of an object or items of a list`;
  return statusError(413, 'RequestEntityTooLarge', message);
}

/** 400: the object is nested deeper than an object may be. */
export function nestedTooDeep(): Error {
  return badRequest(`the object is nested too deeply: limit is ${maxNesting} levels`);
}
