// SPDX-License-Identifier: Apache-2.0
import type { ServerRequest, ServerResponse } from '../messages/server-request.ts';
import type { ServerContext } from '../request/server-context.ts';

/** A health check; rejects when it fails. */
type Check = (server: ServerContext) => Promise<void>;

const well: Check = async () => {};

/** Checks that changes can be persisted; also tries to recover, since there may be no writes that would. */
const storage: Check = async ({ store }) => {
  if (store.closed) throw new Error('the storage is closed');
  await store.recover();
};

/** kube-apiserver's names of the checks: the storage is called etcd. */
const live = { ping: well, log: well, etcd: storage };
const ready = { ...live, 'informer-sync': well, shutdown: well };
const endpoints: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  healthz: live,
  livez: live,
  readyz: ready,
};

const isHealthPath = /^\/(healthz|livez|readyz)(?:\/([^/]+))?$/;

/** Handles /livez, /readyz and /healthz, and single checks below them; undefined for other paths. */
export function health(server: ServerContext, request: ServerRequest): Promise<ServerResponse> | undefined {
  const [, name = '', check] = isHealthPath.exec(request.path) ?? [];
  const checks = endpoints[name];
  if (checks === undefined) return undefined;
  if (check === undefined) return all(server, name, checks, request);
  return Object.hasOwn(checks, check) ? one(check, checks[check]?.(server)) : undefined;
}

async function one(name: string, check: Promise<void> | undefined): Promise<ServerResponse> {
  try {
    await check;
    return { status: 200, text: 'ok' };
  } catch (error) {
    return { status: 500, text: `internal server error: ${name}: ${(error as Error).message}\n` };
  }
}

async function all(
  server: ServerContext,
  endpoint: string,
  checks: Readonly<Record<string, Check>>,
  { search = '', query }: ServerRequest,
): Promise<ServerResponse> {
  const excluded = new Set(new URLSearchParams(search).getAll('exclude'));
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({
      name,
      result: await resultOf(server, name, check, excluded),
    })),
  );
  const unknown = [...excluded].filter((name) => !Object.hasOwn(checks, name)).toSorted();
  const lines = [
    ...results.map(({ name, result }) =>
      result === 'failed' ? `[-]${name} failed: reason withheld` : `[+]${name} ${result}`,
    ),
    ...(unknown.length === 0
      ? []
      : [
          `warn: some health checks cannot be excluded: no matches for ${unknown.map((name) => JSON.stringify(name)).join(', ')}`,
        ]),
  ];
  if (results.some(({ result }) => result === 'failed')) {
    // The endpoint is public: the reason is only in the server's log.
    return { status: 500, text: `${[...lines, `${endpoint} check failed`].join('\n')}\n` };
  }
  if (query['verbose'] === undefined) return { status: 200, text: 'ok' };
  return { status: 200, text: `${[...lines, `${endpoint} check passed`].join('\n')}\n` };
}

async function resultOf(
  server: ServerContext,
  name: string,
  check: Check,
  excluded: ReadonlySet<string>,
): Promise<'ok' | 'excluded: ok' | 'failed'> {
  if (excluded.has(name)) return 'excluded: ok';
  try {
    await check(server);
    return 'ok';
  } catch {
    return 'failed';
  }
}
