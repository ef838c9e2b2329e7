// SPDX-License-Identifier: Apache-2.0
import { forbidden, required, tooLong, unsupported, type FieldError } from '@forge/kube/errors/field-error.ts';
import { goQuoted } from '@forge/kube/objects/go-quoted.ts';
import { invalid } from '../messages/status-errors.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { FieldValidation } from './write.ts';

/** Kind of a write; only apply requires a field manager and allows force. */
type WriteKind = 'create' | 'update' | 'patch' | 'apply';

const kinds = { create: 'CreateOptions', update: 'UpdateOptions', patch: 'PatchOptions', apply: 'PatchOptions' };

/** Rejects invalid write options. */
export function checkWriteOptions(write: WriteKind, query: ResourceRequest['query']): void {
  if (write !== 'apply' && Object.keys(query).length === 0) return;
  const errors = [...problems(write, query)];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: kinds[write] }, '', errors);
}

/** Whether it is a dry run. */
export function isDryRun({ dryRun = '' }: { readonly dryRun?: string }): boolean {
  return dryRun !== '';
}

/** How unknown fields are handled. */
export function fieldValidationOf({ fieldValidation = '' }: { readonly fieldValidation?: string }): FieldValidation {
  return fieldValidation === 'Strict' || fieldValidation === 'Ignore' ? fieldValidation : 'Warn';
}

/** The field manager: from the request, else from the user agent. */
export function managerOf({ query, headers }: Pick<ResourceRequest, 'query' | 'headers'>): string {
  return query['fieldManager'] ?? headers['user-agent']?.split('/', 1)[0] ?? 'unknown';
}

function* problems(write: WriteKind, query: ResourceRequest['query']): Generator<FieldError> {
  const { fieldManager = '', dryRun = '', fieldValidation = '', force } = query as Record<string, string | undefined>;
  if (write === 'apply' && fieldManager === '') yield required('fieldManager', 'is required for apply patch');
  if (write === 'patch' && force !== undefined) yield forbidden('force', 'may not be specified for non-apply patch');
  yield* managerProblems(fieldManager);
  yield* dryRunProblems(dryRun === '' ? [] : [dryRun]);
  if (!validations.includes(fieldValidation)) yield unsupported('fieldValidation', fieldValidation, validations);
}

const validations = ['', 'Ignore', 'Strict', 'Warn'];

/** Errors in the dryRun option: only `All` is supported. */
export function* dryRunProblems(dryRun: readonly string[]): Generator<FieldError> {
  if (dryRun.some((each) => each !== 'All')) yield unsupported('dryRun', dryRun, ['All']);
}

const longestManager = 128;

function* managerProblems(manager: string): Generator<FieldError> {
  if (Buffer.byteLength(manager) > longestManager) yield tooLong('fieldManager', longestManager);
  if (plain.test(manager)) return;
  let position = 0;
  for (const character of manager) {
    if (!printable.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      const message = `Invalid value: ${goQuoted(manager)}: invalid character U+${code} (at position ${position})`;
      yield { field: 'fieldManager', reason: 'FieldValueInvalid', message };
    }
    position += Buffer.byteLength(character);
  }
}

const plain = /^[\x20-\x7e]*$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
