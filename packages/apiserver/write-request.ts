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
): Promise<Written> {
  const { resource, query } = request;
  for (let attempt = 1; ; attempt += 1) {
    const before = read();
    const common = { ...writeOf(request), before: before?.value };
    const { object, applied = false, duplicates = [] } = await want(before?.value);
    // An apply that changes nothing gives back what has passed all steps before.
    if (applied && before !== undefined && object === before.value) {
      return { stored: before, born: false, deleted: false };
    }
    const prepared = await prepareWrite({ ...common, object, applied, duplicates }, server);
    try {
      return commitWrite(server.store, resource, before, prepared, isDryRun(query));
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
  warn,
}: ResourceRequest): Omit<Write, 'before' | 'object' | 'applied' | 'duplicates'> {
  return {
    resource,
    subresource,
    namespace,
    name,
    user,
    manager: managerOf({ query, headers }),
    fieldValidation: fieldValidationOf(query['fieldValidation']),
    warn,
  };
}

/** Who is written into managedFields: as the request says, else the program it comes from. */
export function managerOf({ query, headers }: Pick<ResourceRequest, 'query' | 'headers'>): string {
  return query['fieldManager'] ?? headers['user-agent']?.split('/', 1)[0] ?? 'unknown';
}

function fieldValidationOf(value: string | undefined): FieldValidation {
  if (value === undefined || value === '') return 'Warn';
  if (value === 'Strict' || value === 'Warn' || value === 'Ignore') return value;
  throw badRequest(`fieldValidation: Unsupported value: "${value}": supported values: "Ignore", "Strict", "Warn"`);
}
