// SPDX-License-Identifier: Apache-2.0
import type { Container, PodTemplateSpec } from '@forge/kube/generated/types.ts';
import { restrictedContainer, restrictedPod } from '@forge/runtime/objects/restricted-pod.ts';
import { annotations, apiPort, clusterPort, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { wrapperKey } from './config-map.ts';
import { tlsFiles } from './config/listener-block.ts';
import { serverProbes } from './probes.ts';
import { serverEnvironment } from './server-environment.ts';
import { serverPodLabels } from './server-labels.ts';
import { dataVolume, folders, serverVolumes, type Mounted } from './server-volumes.ts';

/** What the pods of servers depend on besides the spec. */
export interface PodTemplateInputs {
  readonly image: string;
  readonly configHash: string;
  /** Whether the Secret with the credentials of the seal has a CA. */
  readonly sealHasAuthority: boolean;
}

/** User and group of the server in the official image. */
const user = 100;
const group = 1000;

/** A server stops in two seconds. One that cannot reach the API server may hang for minutes, and can be killed without loss. */
const gracePeriod = 30;

/** The pod of a server. */
export function serverPodTemplate(cluster: OpenBaoCluster, inputs: PodTemplateInputs): PodTemplateSpec {
  const volumes = serverVolumes(cluster, inputs.configHash);
  const labels = serverPodLabels(cluster);
  return {
    metadata: { labels, annotations: { [annotations.configHash]: inputs.configHash } },
    spec: {
      serviceAccountName: namesOf(cluster).serviceAccount,
      automountServiceAccountToken: false,
      shareProcessNamespace: false,
      terminationGracePeriodSeconds: gracePeriod,
      securityContext: restrictedPod(user, group),
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 100,
              podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: labels } },
            },
          ],
        },
      },
      containers: [serverContainer(cluster, inputs, volumes)],
      volumes: volumes.map(({ volume }) => volume),
    },
  };
}

function serverContainer(
  cluster: OpenBaoCluster,
  { image, sealHasAuthority }: PodTemplateInputs,
  volumes: readonly Mounted[],
): Container {
  return {
    name: 'openbao',
    image,
    ...startOf(cluster),
    env: serverEnvironment(cluster, sealHasAuthority),
    ports: [
      { name: 'api', containerPort: apiPort, protocol: 'TCP' },
      { name: 'cluster', containerPort: clusterPort, protocol: 'TCP' },
    ],
    ...serverProbes(cluster),
    securityContext: restrictedContainer,
    // The last log lines of a server that exits say why.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: dataVolume, mountPath: folders.data }, ...volumes.map(({ mount }) => mount)],
  };
}

/** With ACME the server gets its certificates by itself, and there is no file to watch. */
function startOf({ spec: { tls } }: OpenBaoCluster): Pick<Container, 'command' | 'args'> {
  const server = ['server', `-config=${folders.config}/config.hcl`];
  if (tls.mode === 'ACME') return { command: ['bao'], args: server };
  return {
    command: [`${folders.config}/${wrapperKey}`],
    args: [`-watch-file=${tlsFiles.certificate}`, '--', 'bao', ...server],
  };
}
