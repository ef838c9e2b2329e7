// SPDX-License-Identifier: Apache-2.0

/** The selection of a list or watch. */
export interface Selection {
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  signal?: AbortSignal;
}

/** How a list is read. */
export interface ListOptions extends Selection {
  limit?: number;
  continue?: string;
  resourceVersion?: string;
  resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** May be called with the continue token before the page has arrived. */
  onContinue?: (token: string) => void;
  /** Managers whose managedFields are needed: objects without them may have empty managedFields. */
  fieldManagers?: ReadonlySet<string>;
}

/** How a watch is opened. */
export interface WatchOptions extends Selection {
  resourceVersion?: string;
  bookmarks?: boolean;
  /** Starts with the existing objects as ADDED events, ended by a bookmark; implies bookmarks. */
  sendInitialEvents?: boolean;
  /** The server ends the watch after this time. */
  timeoutSeconds?: number;
  /** Called when the server has accepted the watch, before its first event. */
  onOpen?: () => void;
}

/** How one object is read. */
export interface GetOptions {
  subresource?: Subresource;
  signal?: AbortSignal;
}

/** Options of every write. */
export interface WriteOptions {
  fieldManager?: string;
  dryRun?: boolean;
  subresource?: Subresource;
  signal?: AbortSignal;
  /** Called when the connection is open and nothing has been sent yet: the last moment to abort. */
  beforeSending?: () => void;
}

/** How an object is deleted. */
export interface DeleteOptions {
  propagation?: 'Background' | 'Foreground' | 'Orphan';
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun?: boolean;
  signal?: AbortSignal;
  /** As in `WriteOptions`. */
  beforeSending?: () => void;
}

type Subresource = 'status' | 'scale' | 'binding' | 'ephemeralcontainers' | 'eviction' | 'token';

/** The query of a list. */
export function listQuery(options: ListOptions): Record<string, string> {
  const { limit, resourceVersion, resourceVersionMatch } = options;
  return definedOptions({
    ...selectionOf(options),
    limit,
    continue: options.continue,
    resourceVersion,
    resourceVersionMatch,
  });
}

/** The query of a watch. */
export function watchQuery(options: WatchOptions): Record<string, string> {
  const { resourceVersion, bookmarks, sendInitialEvents, timeoutSeconds } = options;
  return definedOptions({
    ...selectionOf(options),
    watch: true,
    allowWatchBookmarks: bookmarks === true || sendInitialEvents === true ? true : undefined,
    resourceVersion,
    sendInitialEvents,
    resourceVersionMatch: sendInitialEvents === true ? 'NotOlderThan' : undefined,
    timeoutSeconds,
  });
}

/** The query of a write. */
export function writeQuery({ fieldManager, dryRun }: WriteOptions = {}): Record<string, string> {
  return definedOptions({ fieldManager, dryRun: dryRun === true ? 'All' : undefined });
}

/** The body of a deletion. */
export function deleteBody({ propagation, gracePeriodSeconds, preconditions, dryRun }: DeleteOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(propagation !== undefined && { propagationPolicy: propagation }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions !== undefined && { preconditions }),
    ...(dryRun === true && { dryRun: ['All'] }),
  };
}

function selectionOf({ labelSelector, fieldSelector }: Selection): Record<string, string | undefined> {
  return { labelSelector, fieldSelector };
}

/** The options that are set, as text. */
function definedOptions(options: Record<string, string | number | boolean | undefined>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name in options) if (options[name] !== undefined) texts[name] = String(options[name]);
  return texts;
}
