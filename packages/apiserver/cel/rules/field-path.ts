// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '@forge/kube/schema/schema.ts';
import { controlEscapes } from '../syntax/unquote.ts';

const step = /\.((?:[^.[\]'])[^.[\]]*)|\['((?:\\.|[^'\\])*)'\]/y;
const escapes: Readonly<Record<string, string>> = { ...controlEscapes, "'": "'", '\\': '\\' };

/**
 * The field that a rule's `fieldPath` names (`.spec.a`, `['b-c']`), as in error messages; undefined when there is none.
 */
export function fieldPath(path: string, schema: Schema): string | undefined {
  let result = '';
  let at: Schema | undefined = schema;
  step.lastIndex = 0;
  while (step.lastIndex < path.length) {
    const [, plain, quoted] = step.exec(path) ?? [];
    const name = plain ?? unescape(quoted);
    if (name === undefined || at === undefined) return undefined;
    if (at.properties !== undefined) {
      at = Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
      if (at === undefined) return undefined;
      result = result === '' ? name : `${result}.${name}`;
    } else if (at.additionalProperties !== undefined) {
      at = typeof at.additionalProperties === 'object' ? at.additionalProperties : undefined;
      result = `${result}[${name}]`;
    } else {
      return undefined;
    }
  }
  return result;
}

function unescape(quoted: string | undefined): string | undefined {
  const known = quoted?.matchAll(/\\(.)/gs).every(([, letter = '']) => Object.hasOwn(escapes, letter));
  return known === true ? quoted?.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? '') : undefined;
}
