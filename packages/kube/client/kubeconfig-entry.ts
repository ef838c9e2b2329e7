// SPDX-License-Identifier: Apache-2.0
import { dirname, resolve } from 'node:path';
import type { JsonObject } from '../objects/json.ts';
import type { ReadFile } from './connection.ts';

/** A cluster, user or context of a kubeconfig; throws an error that names the field when a field has the wrong type. */
export interface KubeconfigEntry {
  /** The entry and its file, for errors. */
  readonly place: string;
  /** Whether a field is set and not empty, whatever its type. */
  has(field: string): boolean;
  /** The text of a field; undefined when it is missing or empty. */
  text(field: string): string | undefined;
  isTrue(field: string): boolean;
  texts(field: string): string[];
  /** The path in a field; relative paths start at the folder of the kubeconfig. */
  path(field: string): string | undefined;
  /** A certificate or key, from the kubeconfig itself or from a file that it names. */
  pem(field: string): Promise<string | undefined>;
}

/** An entry with these fields in this file. */
export function kubeconfigEntry(file: string, fields: JsonObject, readFile: ReadFile): KubeconfigEntry {
  const place = `kubeconfig ${file}`;
  const typeError = (field: string, type: string) => new Error(`${place}: ${field} is not ${type}; correct it`);

  function text(field: string): string | undefined {
    const value = fields[field] ?? '';
    if (typeof value !== 'string') throw typeError(field, 'a text');
    return value === '' ? undefined : value;
  }

  function path(field: string): string | undefined {
    const value = text(field);
    return value === undefined ? undefined : resolve(dirname(file), value);
  }

  return {
    place,
    has: (field) => (fields[field] ?? '') !== '',
    text,
    isTrue(field) {
      const value = fields[field] ?? false;
      if (typeof value !== 'boolean') throw typeError(field, 'true or false');
      return value;
    },
    texts(field) {
      const value = fields[field] ?? [];
      if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
        throw typeError(field, 'a list of texts');
      return value;
    },
    path,
    async pem(field) {
      const [base64, named] = [text(`${field}-data`), path(field)];
      if (base64 !== undefined && named !== undefined) {
        throw new Error(`${place} has both ${field} and ${field}-data; remove one`);
      }
      if (base64 === undefined) {
        return named === undefined ? undefined : readable(`${place}: ${field} ${named}`, named, readFile);
      }
      if (!/^[\w+/\s]*=*\s*$/.test(base64)) throw typeError(`${field}-data`, 'base64');
      return Buffer.from(base64, 'base64').toString();
    },
  };
}

/** The text of a file; errors name the file, unlike some errors of the system. */
export async function readable(what: string, path: string, readFile: ReadFile): Promise<string> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Error(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
