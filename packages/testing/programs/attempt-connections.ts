// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { Namespace, Pod } from '@forge/kube/kinds/builtin.ts';
import { eventually } from './eventually.ts';

/** An image with Python. */
const image = 'c5c3/keystone:2025.2';

/** Connects to each `host:port`, and writes the outcomes as termination message of the container. */
const script = `
import errno, json, socket, sys
def attempt(target):
    host, port = target.rsplit(':', 1)
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
        return 'connected'
    except socket.gaierror:
        return 'unknown name'
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
open('/dev/termination-log', 'w').write(json.dumps({target: attempt(target) for target in sys.argv[1:]}))
`;

const container = (name: string, targets: readonly string[]) => ({
  name,
  image,
  command: ['python3', '-c', script, ...targets],
  securityContext: {
    runAsNonRoot: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  },
});

/** Outcomes by target. */
type Outcomes = Record<string, string>;

/** Tries to connect to each `host:port` from a new pod of a namespace. */
export async function attemptFromNamespace(
  { client }: { readonly client: Client },
  namespace: string,
  targets: readonly string[],
): Promise<Outcomes> {
  const metadata = { name: namespace };
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata }).catch((error: Error) => {
    if (!isApiError(error, 'AlreadyExists')) throw error;
  });
  const { metadata: created } = await client.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: '', generateName: 'attempt-' },
    spec: { restartPolicy: 'Never', containers: [container('main', targets)] },
  });
  const ref = { namespace, name: created.name };
  const outcomes = await eventually(`${ref.namespace}/${ref.name} has tried`, async () => {
    const [status] = (await client.get(Pod, ref)).status?.containerStatuses ?? [];
    return status?.state?.terminated?.message;
  });
  await client.delete(Pod, ref);
  return JSON.parse(outcomes) as Outcomes;
}

/** Tries to connect to each `host:port` from inside an existing pod. */
export async function attemptFromPod(
  { client }: { readonly client: Client },
  { metadata: { namespace, name } }: Pod,
  targets: readonly string[],
): Promise<Outcomes> {
  const ref = { namespace, name };
  const ephemeralContainers = [container('attempt', targets)];
  await client.patch(Pod, ref, 'strategic', { spec: { ephemeralContainers } }, { subresource: 'ephemeralcontainers' });
  const outcomes = await eventually(`${namespace}/${name} has tried`, async () => {
    const [status] = (await client.get(Pod, ref)).status?.ephemeralContainerStatuses ?? [];
    return status?.state?.terminated?.message;
  });
  return JSON.parse(outcomes) as Outcomes;
}
