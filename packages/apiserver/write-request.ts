// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import { commitWrite, type Written } from './pipeline/commit-write.ts';
import { prepareWrite } from './pipeline/pipeline.ts';
import type { FieldValidation, Write } from './pipeline/write.ts';
import { badRequest, staleVersion } from './refusal.ts';
import type { ResourceRequest } from './resource-request.ts';
import type { ServerContext } from './server-context.ts';
import { WriteRaced } from './storage/store.ts';
import type { StoredObject } from './storage/stored-object.ts';

/** The object a write wants, given what is stored now. */
export interface Wanted {
  object: KubeObject;
  /** Server-side apply has worked out managedFields itself. */
  applied?: boolean;
  /** Paths of fields that the writer's text names more than once. */
  duplicates?: readonly string[];
}

/** A finished write, with what the server wants the writer to know. */
export interface WriteResult extends Written {
  warnings: string[];
}

const attempts = 5;

/**
 * Takes one write through the pipeline into the store. When another write comes in between (admission may take its time),
 * it starts over from the newest state, so that a patch never fails for that.
 */
export async function write(
  server: ServerContext,
  request: ResourceRequest,
  read: () => StoredObject | undefined,
  want: (before: KubeObject | undefined) => Wanted | Promise<Wanted>,
): Promise<WriteResult> {
  const { resource, query } = request;
  for (let attempt = 1; ; attempt += 1) {
    const warnings = new Set<string>();
    const before = read();
    const common = { ...writeOf(request), before: before?.value, warn: (warning: string) => warnings.add(warning) };
    const { object, applied = false, duplicates = [] } = await want(before?.value);
    // An apply that changes nothing gives back what has passed all steps before.
    if (applied && before !== undefined && object === before.value) {
      return { stored: before, born: false, deleted: false, warnings: [] };
    }
    const prepared = await prepareWrite({ ...common, object, applied, duplicates }, server);
    try {
      const written = commitWrite(server.store, resource, before, prepared, isDryRun(query));
      return { ...written, warnings: [...warnings] };
    } catch (error) {
      if (!(error instanceof WriteRaced)) throw error;
      if (attempt === attempts) throw staleVersion(resource.kind, request.name);
    }
  }
}

/** Whether the caller wants to see what would happen, and nothing more. */
export function isDryRun(query: Readonly<Record<string, string>>): boolean {
  const { dryRun } = query as { dryRun?: string };
  if (dryRun === undefined || dryRun === '') return false;
  if (dryRun !== 'All') throw badRequest(`dryRun: Unsupported value: "${dryRun}": supported values: "All"`);
  return true;
}

function writeOf({
  resource,
  subresource,
  namespace,
  name,
  user,
  query,
  headers,
}: ResourceRequest): Omit<Write, 'before' | 'object' | 'applied' | 'duplicates' | 'warn'> {
  return {
    resource,
    subresource,
    namespace,
    name,
    user,
    manager: query['fieldManager'] ?? headers['user-agent']?.split('/', 1)[0] ?? 'unknown',
    fieldValidation: fieldValidationOf(query['fieldValidation']),
  };
}

function fieldValidationOf(value: string | undefined): FieldValidation {
  if (value === undefined || value === '') return 'Warn';
  if (value === 'Strict' || value === 'Warn' || value === 'Ignore') return value;
  throw badRequest(`fieldValidation: Unsupported value: "${value}": supported values: "Ignore", "Strict", "Warn"`);
}
